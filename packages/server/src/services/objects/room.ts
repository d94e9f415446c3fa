import type { AnyChanges, Resource } from '@gatehouse-access/api'
import { isQuotaName, type QuotaName } from '../../config/quotas.ts'
import type { Work } from './context.ts'

type Wanted = readonly [name: QuotaName, holder: readonly string[]]

/** Takes quota for one more object of a kind: in the organization, and for the parent it belongs to. */
export function takeRoom(
  { db, caller, context }: Work,
  { kind, parent = 'member' }: Resource,
  values: AnyChanges,
): void | Promise<void> {
  const { organization_id } = caller
  const ofParent = `${parent}.${kind}`
  const wanted: Wanted[] = []
  if (isQuotaName(kind)) wanted.push([kind, [organization_id]])
  if (isQuotaName(ofParent)) wanted.push([ofParent, [organization_id, String(values[`${parent}_id`])]])
  return takeAll(wanted)

  function takeAll([first, ...rest]: readonly Wanted[]): void | Promise<void> {
    if (!first) return
    const pending = context.quotas.take(db, ...first)
    return pending ? pending.then(() => takeAll(rest)) : takeAll(rest)
  }
}
