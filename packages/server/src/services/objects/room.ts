import type { Resource } from '@gatehouse/api'
import { isQuotaName, type QuotaName } from '../../config/quotas.ts'
import type { Row } from '../../database/db.ts'
import type { Work } from './context.ts'

/** Takes room for one more object of a kind: in the organization, and with the member it belongs to. */
export function takeRoom(
  { db, caller, context }: Work,
  { kind }: Resource,
  values: Row,
): void | Promise<void> {
  const { organization_id } = caller
  const wanted: readonly (readonly [string, readonly string[]])[] = [
    [kind, [organization_id]],
    [`member.${kind}`, [organization_id, String(values.member_id)]],
  ]
  return takeAll(wanted.filter(([name]) => isQuotaName(name)))

  function takeAll([first, ...rest]: typeof wanted): void | Promise<void> {
    if (!first) return
    const pending = context.quotas.take(db, first[0] as QuotaName, first[1])
    return pending ? pending.then(() => takeAll(rest)) : takeAll(rest)
  }
}
