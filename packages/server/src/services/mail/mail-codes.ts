import { randomInt, timingSafeEqual } from 'node:crypto'
import { RequestError } from '@gatehouse-access/api'
import { addSeconds, crockfordDigits } from '@gatehouse-access/core'
import type { Database, Row } from '../../database/db.ts'
import { holdLock } from '../../database/locks.ts'
import { digestFor } from '../../vault/contexts.ts'
import { digest } from '../../vault/vault.ts'
import type { Context } from '../objects/context.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'vault'>
type Purpose = 'sign_up' | 'reset' | 'email' | 'guest' | 'target'

const letters = crockfordDigits.toUpperCase()

/** Guests type the code on a phone, often from a notification, so it has six digits. */
const alphabets = {
  sign_up: [letters, 8],
  reset: [letters, 8],
  email: [letters, 8],
  guest: ['0123456789', 6],
  target: [letters, 8],
} as const
const lifetime = 600
const most_tries = 5
const sends_an_hour = 5

/**
 * Creates a code for an address and purpose. Returns undefined if the address has reached its mail limit.
 * Only the `requester`, the browser or session that asked for the code, can use it. Otherwise a user who
 * types a code that an attacker requested would confirm the attacker's request, such as a sign-up with
 * another password. A requester has one valid code and does not invalidate those of others. Without a
 * requester, all unexpired codes are valid, because a stranger may have requested the last one.
 */
export async function makeCode(
  { db, clock, vault }: Needs,
  email: string,
  purpose: Purpose,
  payload: Row,
  requester?: string,
): Promise<string | undefined> {
  const [email_key, now] = [email.toLowerCase(), clock.now()]
  if (!(await maySend({ db, clock, vault }, email))) return undefined
  const [alphabet, length] = alphabets[purpose]
  const code = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
  await db.query(
    `WITH own AS (DELETE FROM mail_codes WHERE email_key = $1 AND purpose = $2 AND asker_hash = $7 AND code_hash <> $3)
     INSERT INTO mail_codes (email_key, purpose, code_hash, tries, payload, created_at, expires_at, asker_hash)
     VALUES ($1, $2, $3, 0, $4, $5, $6, $7) ON CONFLICT (email_key, purpose, code_hash) DO NOTHING`,
    [
      email_key,
      purpose,
      digestsOf(vault, email_key, purpose, code)[0],
      payload,
      now,
      addSeconds(now, lifetime),
      hashOf(requester),
    ],
  )
  return purpose === 'guest' ? code : `${code.slice(0, 4)}-${code.slice(4)}`
}

/**
 * Returns whether an address may be sent another mail, and counts it if so. Concurrent requests are
 * serialized, because they would otherwise all read the same count.
 */
export function maySend({ db, clock, vault }: Needs, email: string): Promise<boolean> {
  return countSend({ db, vault, now: clock.now() }, email.toLowerCase(), sends_an_hour)
}

/** Also whoever changes something, and asks within the transaction. */
const awaited = { is_awaited: true }

/**
 * `key` has an address in it, so its keyed hash is stored: the count outlives the erasure of whoever has the address. Otherwise
 * an organization could reset the limits of any address, by erasing a member of its own with that address.
 */
export function countSend(
  { db, vault, now }: Pick<Needs, 'vault'> & { db: Database; now: string },
  key: string,
  most: number,
): Promise<boolean> {
  const hashes = vault.digests(key, digestFor.mail_send).map(hash => hash.toString('hex'))
  return db.transaction(async inner => {
    await holdLock(inner, 'mails_to_address', key)
    const rows = await inner.query(
      `INSERT INTO mail_sends (email_key, sent_at) SELECT $1, $2 WHERE
       (SELECT count(*) FROM mail_sends WHERE email_key = ANY($5::text[]) AND sent_at > $3) < $4 RETURNING sent_at`,
      [hashes[0], now, addSeconds(now, -3600), most, hashes],
    )
    return rows.length > 0
  }, awaited)
}

/**
 * Like `countSend`, for keys that many requests share, such as an organization, and that name no address. Takes no lock: concurrent
 * requests do not wait, and may exceed the limit by their number.
 */
export async function countFreely(
  { db, now }: { db: Database; now: string },
  key: string,
  most: number,
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO mail_sends (email_key, sent_at) SELECT $1, $2 WHERE
     (SELECT count(*) FROM mail_sends WHERE email_key = $1 AND sent_at > $3) < $4 RETURNING sent_at`,
    [key, now, addSeconds(now, -3600), most],
  )
  return rows.length > 0
}

export function enoughMail(message: string): RequestError {
  return new RequestError('rate_limited', message, { headers: { 'retry-after': '3600' } })
}

/** Returns what a requester last asked a code for, also if the code is no longer valid. */
export async function findAsked(
  { db }: Pick<Needs, 'db'>,
  email: string,
  purpose: Purpose,
  requester: string,
): Promise<Row | undefined> {
  const [asked] = await db.query<{ payload: Row }>(
    'SELECT payload FROM mail_codes WHERE email_key = $1 AND purpose = $2 AND asker_hash = $3 ORDER BY created_at DESC LIMIT 1',
    [email.toLowerCase(), purpose, hashOf(requester)],
  )
  return asked?.payload
}

function hashOf(requester: string | undefined): Buffer | null {
  return requester === undefined ? null : digest(requester)
}

/**
 * Returns the payload of a right code and consumes the code. Each attempt is counted before it is evaluated.
 * Attempts of other requesters do not count, so that they cannot use up the requester's tries.
 */
export async function takeCode(
  { db, clock, vault }: Needs,
  email: string,
  purpose: Purpose,
  given: string,
  requester?: string,
): Promise<Row | undefined> {
  const email_key = email.toLowerCase()
  const rows = await db.query<{ code_hash: Uint8Array; payload: Row }>(
    `UPDATE mail_codes SET tries = tries + 1 WHERE email_key = $1 AND purpose = $2 AND expires_at > $3 AND tries < ${most_tries}
     AND asker_hash IS NOT DISTINCT FROM $4 RETURNING code_hash, payload`,
    [email_key, purpose, clock.now(), hashOf(requester)],
  )
  const typed = normalize(given)
  const hashes = digestsOf(vault, email_key, purpose, typed)
  const row = rows.find(({ code_hash }) => hashes.some(hash => timingSafeEqual(hash, code_hash)))
  if (!row) return undefined
  const removed = await db.query(
    'DELETE FROM mail_codes WHERE email_key = $1 AND purpose = $2 AND code_hash = $3 RETURNING purpose',
    [email_key, purpose, row.code_hash],
  )
  return removed.length > 0 ? row.payload : undefined
}

/** Accepts O for 0, and I or L for 1. */
function normalize(code: string): string {
  return code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
}

function digestsOf(vault: Context['vault'], email_key: string, purpose: Purpose, code: string): Buffer[] {
  return vault.digests(`${purpose} ${email_key} ${code}`, digestFor.mail_code)
}
