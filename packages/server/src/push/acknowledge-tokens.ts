import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import type { Clock } from '../flow/clock.ts'
import { digest, newSecret } from '../vault/vault.ts'

/** Who acknowledges which alarm. */
export interface Acknowledgement {
  readonly organization_id: string
  readonly alarm_id: string
  readonly user_id: string
}

interface Needs {
  readonly db: Database
  readonly clock: Clock
}

const lifetime = 24 * 3600

/** Makes what a notification sends back to acknowledge its alarm. Only its hash is stored. */
export async function makeAcknowledgeToken({ db, clock }: Needs, bound: Acknowledgement): Promise<string> {
  const token = newSecret('ghn')
  await db.query(
    'INSERT INTO alarm_tokens (token_hash, organization_id, alarm_id, user_id, expires_at) VALUES ($1, $2, $3, $4, $5)',
    [digest(token), bound.organization_id, bound.alarm_id, bound.user_id, addSeconds(clock.now(), lifetime)],
  )
  return token
}

/** Uses a token up. Returns undefined if it is wrong, used or expired. */
export async function takeAcknowledgeToken(
  { db, clock }: Needs,
  token: string,
): Promise<(Acknowledgement & { readonly created_at: string }) | undefined> {
  const [row] = await db.query<Acknowledgement & { readonly expires_at: string }>(
    `DELETE FROM alarm_tokens WHERE token_hash = $1 AND expires_at > $2 RETURNING organization_id, alarm_id, user_id, expires_at`,
    [digest(token), clock.now()],
  )
  return row && { ...row, created_at: addSeconds(row.expires_at, -lifetime) }
}
