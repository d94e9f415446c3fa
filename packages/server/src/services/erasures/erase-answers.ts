import { setImmediate as breathe } from 'node:timers/promises'
import { prefixes } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { holdsWhole } from '../../erasing/erase-bodies.ts'
import type { MemberKey } from '../../erasing/erase-rows.ts'
import { isRecord } from '../../flow/record.ts'
import type { Place } from '../../store/idempotency-keys.ts'
import { sealedAs } from '../../vault/contexts.ts'
import type { Vault } from '../../vault/vault.ts'

interface Row extends Place {
  readonly answer: Uint8Array
}

const page = 50
/** Milliseconds of one look. */
const longest = 500

/** A member, and the cards that are erased with it. */
interface Sought extends MemberKey {
  readonly card_ids: readonly string[]
}

/** The answers that name a member, of those that were looked at. */
export interface FoundAnswers {
  readonly places: readonly Place[]
  /** Where the next look begins. Undefined behind the last one. */
  readonly next: Place | undefined
}

/**
 * Looks for stored answers that name a member or its cards. They are encrypted, so each is opened; there are those of a day, which can be
 * millions. So it only reads, outside of the transaction that writes, and ends in time.
 */
export async function findAnswers(
  db: Database,
  vault: Vault,
  sought: Sought,
  from: Place | undefined,
): Promise<FoundAnswers> {
  const until = performance.now() + longest
  const places: Place[] = []
  for (let next = from; ; await breathe()) {
    const rows = await db.query<Row>(
      `SELECT owner_id, key, answer FROM idempotency_keys
       WHERE organization_id = $1 AND (owner_id, key) > ($2, $3) AND answer IS NOT NULL ORDER BY owner_id, key LIMIT ${page}`,
      [sought.organization_id, next?.owner_id ?? '', next?.key ?? ''],
    )
    for (const row of rows) {
      if (row.answer.length > large) await breathe()
      if (isAbout(vault, sought, row)) places.push({ owner_id: row.owner_id, key: row.key })
    }
    const last = rows.at(-1)
    if (!last || rows.length < page) return { places, next: undefined }
    next = { owner_id: last.owner_id, key: last.key }
    if (performance.now() > until) return { places, next }
  }
}

/** Bytes of an answer that is opened in a step of its own. */
const large = 64 * 1024

/** An answer that is an erasure holds the bare ID, unless it was expanded. Whoever repeats such a request is to hear of the same erasure. */
function isAbout(
  vault: Vault,
  { organization_id, member_id, card_ids }: Sought,
  { owner_id, key, answer }: Row,
): boolean {
  const context = sealedAs.idempotent_answer(organization_id, owner_id, key)
  if (!vault.canOpen(answer, context)) return false
  const text = vault.decrypt(answer, context)
  return [member_id, ...card_ids].some(id => text.includes(id)) && !isErasure(text, member_id)
}

function isErasure(sealed: string, memberId: string): boolean {
  const stored: unknown = JSON.parse(sealed)
  const answer: unknown = isRecord(stored) && typeof stored.text === 'string' ? JSON.parse(stored.text) : null
  return (
    isRecord(answer) &&
    typeof answer.id === 'string' &&
    answer.id.startsWith(`${prefixes.erasure}_`) &&
    !holdsWhole(answer, [memberId])
  )
}
