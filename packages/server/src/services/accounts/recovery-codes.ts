import { randomInt } from 'node:crypto'
import { crockfordDigits } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { digest } from '../../vault/vault.ts'
import type { Context } from '../objects/context.ts'

const alphabet = crockfordDigits.toUpperCase()
const length = 24
const count = 10

/** Replaces the user's codes. The new ones can be shown only once, because only their digests are stored. */
export async function makeRecoveryCodes(db: Database, user_id: string): Promise<string[]> {
  const codes = Array.from({ length: count }, makeCode)
  const hashes = codes.map(code => digest(code).toString('hex'))
  await db.query('DELETE FROM recovery_codes WHERE user_id = $1', [user_id])
  await db.query(
    `INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, decode(hash, 'hex') FROM unnest($2::text[]) AS hash`,
    [user_id, hashes],
  )
  return codes.map(code => (code.match(/.{4}/g) ?? []).join('-'))
}

function makeCode(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Returns whether the code is one of the user's, and consumes it. */
export async function takeRecoveryCode({ db }: Context, user_id: string, given: string): Promise<boolean> {
  const code = given.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const rows = await db.query(
    'DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2 RETURNING user_id',
    [user_id, digest(code)],
  )
  return rows.length > 0
}

export async function countRecoveryCodes({ db }: Context, user_id: string): Promise<number> {
  const rows = await db.query('SELECT 1 FROM recovery_codes WHERE user_id = $1', [user_id])
  return rows.length
}
