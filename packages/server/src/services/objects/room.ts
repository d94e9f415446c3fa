import type { AnyChanges, Resource } from '@gatehouse-access/api'
import { isQuotaName, type QuotaName } from '../../config/quotas.ts'
import type { Work } from './context.ts'

type Wanted = readonly [name: QuotaName, holder: readonly string[]]

/** Takes quota for one more object of a kind: in the organization, and for the member it belongs to. */
export function takeRoom(
  { db, caller, context }: Work,
  { kind }: Resource,
  values: AnyChanges,
): void | Promise<void> {
  const { organization_id } = caller
  const ofMember = `member.${kind}`
  const wanted: Wanted[] = []
  if (isQuotaName(kind)) wanted.push([kind, [organization_id]])
  if (isQuotaName(ofMember)) wanted.push([ofMember, [organization_id, String(values.member_id)]])
  return takeAll(wanted)

  function takeAll([first, ...rest]: readonly Wanted[]): void | Promise<void> {
    if (!first) return
    const pending = context.quotas.take(db, ...first)
    return pending ? pending.then(() => takeAll(rest)) : takeAll(rest)
  }
}
