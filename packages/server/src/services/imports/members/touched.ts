import { keyOfRow } from '@gatehouse-access/api'
import type { MemberPlan } from './plan.ts'

/** What a row goes by beside its member: cards and PINs, whoever has them, and, if it is refused, whoever may be the reason. */
export function touchedBy({ row, held, problems, touches }: MemberPlan, key: string): string[] {
  const isRefused = problems.length > 0 && row.problems.length === 0
  const whom = isRefused ? [keyOfRow(row, key), held?.member.id] : []
  const regained = held?.member.is_deleted
    ? [
        ...held.member_card.map(({ card_id }) => card_id),
        ...held.member_pin.map(({ pin_hash }) => Buffer.from(pin_hash).toString('hex')),
      ]
    : []
  const all = [...(row.card_uids ?? []), ...(row.card_codes ?? []), ...touches, ...whom, ...regained]
  return all.filter(name => name !== undefined)
}
