import type { AnyChanges, Resource } from '@gatehouse-access/api'
import type { Work } from '../objects/context.ts'
import { roomsOf } from '../objects/room.ts'
import type { Foreseen } from './rows/foreseen.ts'

/** Throws if earlier batches of a dry run would have left no room. What this batch takes is counted as usual. */
export async function askRooms(
  work: Work,
  resource: Resource,
  values: AnyChanges,
  foreseen: Foreseen,
): Promise<void> {
  for (const [name, holder] of roomsOf(work, resource, values))
    await work.context.quotas.check(
      work.db,
      name,
      holder,
      foreseen.countBefore(`${name} ${holder.at(-1)}`) + 1,
    )
}

export function noteRooms(
  work: Work,
  resource: Resource,
  values: AnyChanges,
  foreseen: Foreseen,
  amount: number,
): void {
  for (const [name, holder] of roomsOf(work, resource, values))
    foreseen.add(`${name} ${holder.at(-1)}`, amount)
}

/** Gives back what objects took that a dry run has made or restored: it is taken back with its batch, and noted. */
export function giveBackRooms(work: Work, resource: Resource, made: readonly AnyChanges[]): void {
  for (const values of made)
    for (const [name, holder] of roomsOf(work, resource, values)) work.context.quotas.giveBack(name, holder)
}
