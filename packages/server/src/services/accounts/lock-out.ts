import { addSeconds, epochMilliseconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { networkOf } from '../../network/networks.ts'
import { digestFor } from '../../vault/contexts.ts'
import type { Context } from '../objects/context.ts'

interface Needs extends Pick<Context, 'clock' | 'vault'> {
  readonly db: Database
}

/**
 * Wrong passwords are counted in three ways, each with some free attempts and then a doubling delay:
 *
 * - account and address together: stops guessing from one place, for up to 15 minutes;
 * - account alone: stops guessing from many places, for at most a minute, so that an attacker cannot lock the
 *   owner out;
 * - address alone: stops attempts on many accounts.
 *
 * Here an address is a network: for IPv6, the /64.
 *
 * A browser that is known for the account (`known-browsers.ts`), or has a session of it, has only a counter
 * of its own. Failures of strangers do not slow it, and its own failures slow no other browser.
 *
 * The typed email address is counted whether or not it has an account, so that the response reveals nothing.
 */
const limits = {
  pair: { free: 5, longest: 900 },
  account: { free: 20, longest: 60 },
  address: { free: 50, longest: 900 },
  known: { free: 5, longest: 900 },
} as const

const forgotten = 24 * 3600

type Kind = keyof typeof limits
const kinds: readonly Kind[] = ['pair', 'account', 'address', 'known']

/** The network address of an attempt, and the known browser, if any. */
export interface Origin {
  readonly ip_address: string
  readonly known?: string | undefined
}

/** Returns the seconds until the next attempt is allowed, or 0 if one is allowed now. */
export async function findDelay({ db, clock, vault }: Needs, email: string, origin: Origin): Promise<number> {
  const keys = Object.values(keysOf(vault, email, origin)).flat()
  const [row] = await db.query<{ until: string | null }>(
    'SELECT max(blocked_until) AS until FROM sign_in_failures WHERE key = ANY($1::text[])',
    [keys],
  )
  const now = clock.now()
  if (!row?.until || row.until <= now) return 0
  return Math.ceil((epochMilliseconds(row.until) - epochMilliseconds(now)) / 1000)
}

/**
 * Counts an attempt before it is evaluated. Returns the seconds to wait if the attempt is not allowed. Row
 * locks serialize concurrent attempts, since otherwise all of them would pass the check. `db` is therefore
 * the sign-in pool, so that waiting attempts do not block other work.
 */
export function takeAttempt({ db, ...part }: Needs, email: string, origin: Origin): Promise<number> {
  const keys = Object.values(keysOf(part.vault, email, origin)).flatMap(([key = '']) => key)
  return db.transaction(async inner => {
    await hold(inner, keys, part.clock.now())
    const seconds = await findDelay({ ...part, db: inner }, email, origin)
    if (seconds === 0) await countFailure({ ...part, db: inner }, email, origin)
    return seconds
  })
}

/**
 * Looks something up that must not be guessed: only what finds nothing counts, and nothing clears the counters,
 * so that whoever knows one right answer gains no more wrong ones. Returns the seconds to wait if there were too many.
 */
export function guess<Found extends object>(
  { db, ...part }: Needs,
  account: string,
  origin: Origin,
  look: (db: Database) => Promise<Found | undefined>,
): Promise<Found | number | undefined> {
  const keys = Object.values(keysOf(part.vault, account, origin)).flatMap(([key = '']) => key)
  return db.transaction(async inner => {
    await hold(inner, keys, part.clock.now())
    const seconds = await findDelay({ ...part, db: inner }, account, origin)
    if (seconds > 0) return seconds
    const found = await look(inner)
    if (!found) await countFailure({ ...part, db: inner }, account, origin)
    return found
  })
}

async function hold(db: Database, keys: readonly string[], now: string): Promise<void> {
  await db.query(
    `INSERT INTO sign_in_failures (key, failures, failed_at, blocked_until)
     SELECT key, 0, $2, $2 FROM unnest($1::text[]) AS key ORDER BY key ON CONFLICT (key) DO NOTHING`,
    [keys, now],
  )
  await db.query('SELECT 1 FROM sign_in_failures WHERE key = ANY($1::text[]) ORDER BY key FOR UPDATE', [keys])
}

export async function countFailure(
  { db, clock, vault }: Needs,
  email: string,
  origin: Origin,
): Promise<void> {
  const now = clock.now()
  const keys = keysOf(vault, email, origin)
  for (const kind of kinds) {
    const key = keys[kind]?.[0]
    if (key === undefined) continue
    const { free, longest } = limits[kind]
    await db.query(
      `INSERT INTO sign_in_failures AS f (key, failures, failed_at, blocked_until) VALUES ($1, 1, $2::timestamptz, $2::timestamptz)
       ON CONFLICT (key) DO UPDATE SET failed_at = $2,
         failures = CASE WHEN f.failed_at < $5 THEN 1 ELSE f.failures + 1 END,
         blocked_until = CASE WHEN f.failed_at < $5 OR f.failures + 1 < $3 THEN $2::timestamptz
           ELSE $2::timestamptz + least($4::float8, power(2, least(f.failures + 1 - $3, 20))) * interval '1 second' END`,
      [key, now, free, longest, addSeconds(now, -forgotten)],
    )
  }
}

/** After a success, clears the counters of the account, of the pair and of the known browser. */
export async function forgetFailures({ db, vault }: Needs, email: string, origin: Origin): Promise<void> {
  const { pair = [], account = [], known = [] } = keysOf(vault, email, origin)
  await db.query('DELETE FROM sign_in_failures WHERE key = ANY($1::text[])', [
    [...pair, ...account, ...known],
  ])
}

/** Settles a counted attempt that succeeded: also takes it back from the counter of the address. */
export async function settleAttempt(part: Needs, email: string, origin: Origin): Promise<void> {
  await forgetFailures(part, email, origin)
  const { address = [] } = keysOf(part.vault, email, origin)
  await part.db.query(
    'UPDATE sign_in_failures SET failures = greatest(failures - 1, 0), blocked_until = $2 WHERE key = ANY($1::text[])',
    [address, part.clock.now()],
  )
}

function keysOf(vault: Context['vault'], email: string, origin: Origin): Partial<Record<Kind, string[]>> {
  const [account, network] = [email.toLowerCase(), networkOf(origin.ip_address)]
  const hash = (value: string, kind: Kind) =>
    vault.digests(value, digestFor.sign_in_attempt(kind)).map(digest => digest.toString('hex'))
  if (origin.known) return { known: hash(`${account} ${origin.known}`, 'known') }
  return {
    pair: hash(`${account} ${network}`, 'pair'),
    account: hash(account, 'account'),
    address: hash(network, 'address'),
  }
}
