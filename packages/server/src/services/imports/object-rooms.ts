import type { AnyChanges, Resource } from '@gatehouse-access/api'
import type { Work } from '../objects/context.ts'
import { roomsOf } from '../objects/room.ts'
import type { Foreseen } from './rows/foreseen.ts'

/** Counts what earlier batches of a dry run would have made and deleted. What this one does is counted as usual. */
export function withForeseen(work: Work, foreseen: Foreseen): Work {
  return { ...work, foreseen: (name, holder) => foreseen.countBefore(nameOf(name, holder)) }
}

export function noteRooms(
  work: Work,
  resource: Resource,
  values: AnyChanges,
  foreseen: Foreseen,
  amount: number,
): void {
  for (const [name, holder] of roomsOf(work, resource, values)) foreseen.add(nameOf(name, holder), amount)
}

function nameOf(name: string, holder: readonly string[]): string {
  return `${name} ${holder.at(-1)}`
}

/** Gives back what objects took that a dry run has made or restored: it is taken back with its batch, and noted. */
export function giveBackRooms(work: Work, resource: Resource, made: readonly AnyChanges[]): void {
  for (const values of made)
    for (const [name, holder] of roomsOf(work, resource, values)) work.context.quotas.giveBack(name, holder)
}
