import type { AnyChanges, Resource } from '@gatehouse-access/api'
import { isQuotaName, type QuotaName } from '../../config/quotas.ts'
import type { Work } from './context.ts'

type Wanted = readonly [name: QuotaName, holder: readonly string[]]

/** Takes quota for one more object of a kind: in the organization, and for the parent it belongs to. */
export function takeRoom(work: Work, resource: Resource, values: AnyChanges): void | Promise<void> {
  const { db, context, foreseen } = work
  return takeAll(roomsOf(work, resource, values))

  function takeAll([first, ...rest]: readonly Wanted[]): void | Promise<void> {
    if (!first) return
    const pending = context.quotas.take(db, ...first, 1, foreseen && { foreseen: foreseen(...first) })
    return pending ? pending.then(() => takeAll(rest)) : takeAll(rest)
  }
}

/** The quotas that an object counts towards. */
export function roomsOf(
  { caller: { organization_id } }: Pick<Work, 'caller'>,
  { kind, parent = 'member' }: Resource,
  values: AnyChanges,
): Wanted[] {
  const ofParent = `${parent}.${kind}`
  const wanted: Wanted[] = []
  if (isQuotaName(kind)) wanted.push([kind, [organization_id]])
  if (isQuotaName(ofParent)) wanted.push([ofParent, [organization_id, String(values[`${parent}_id`])]])
  return wanted
}
