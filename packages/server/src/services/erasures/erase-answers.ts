import { randomBytes } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { prefixes } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import type { MemberKey } from '../../erasing/erase-rows.ts'
import { sealedAs } from '../../vault/contexts.ts'
import type { Vault } from '../../vault/vault.ts'

interface Row {
  readonly owner_id: string
  readonly key: string
  readonly answer: Uint8Array
}

const page = 50

/**
 * Empties the stored answers that name a member. They are encrypted, so each is opened; there are those of a day. The keys stay: a
 * repeated request is refused, and does not create the person again.
 */
export async function eraseAnswers(db: Database, vault: Vault, member: MemberKey): Promise<number> {
  let erased = 0
  for (let after: readonly [string, string] = ['', '']; ; await breathe()) {
    const rows = await db.query<Row>(
      `SELECT owner_id, key, answer FROM idempotency_keys
       WHERE organization_id = $1 AND (owner_id, key) > ($2, $3) AND answer IS NOT NULL ORDER BY owner_id, key LIMIT ${page}`,
      [member.organization_id, ...after],
    )
    for (const row of rows.filter(row => isAbout(vault, member, row))) {
      await db.query(
        `UPDATE idempotency_keys SET answer = NULL, fingerprint = $4 WHERE organization_id = $1 AND owner_id = $2 AND key = $3`,
        [member.organization_id, row.owner_id, row.key, randomBytes(32)],
      )
      erased++
    }
    const last = rows.at(-1)
    if (!last || rows.length < page) return erased
    after = [last.owner_id, last.key]
  }
}

/** Answers about erasures hold the bare ID, and whoever repeats such a request is to hear of the same erasure. */
function isAbout(
  vault: Vault,
  { organization_id, member_id }: MemberKey,
  { owner_id, key, answer }: Row,
): boolean {
  const context = sealedAs.idempotent_answer(organization_id, owner_id, key)
  if (!vault.canOpen(answer, context)) return false
  const text = vault.decrypt(answer, context)
  return text.includes(member_id) && !text.includes(`${prefixes.erasure}_`)
}
