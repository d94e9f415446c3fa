import { hash } from 'node:crypto'
import { invalid, isStorable, RequestError } from '@gatehouse/api'
import { addSeconds } from '@gatehouse/core'
import type { Database } from '../store/db.ts'
import type { Answer, Exchange } from './exchange.ts'

const kept = 24 * 3600

interface Stored {
  readonly fingerprint: Uint8Array
  readonly answer: Uint8Array
}

/**
 * The first request with a key does the work, and its answer commits with the change; a repeat gets that answer again.
 * A second one while the first still runs finds the lock taken. A request that fails leaves nothing behind.
 */
export async function runOnce(
  exchange: Exchange,
  key: string,
  run: (db: Database) => Promise<Answer>,
): Promise<Answer> {
  if (key.length < 1 || key.length > 255 || !isStorable(key))
    throw invalid('Idempotency-Key', 'Idempotency-Key must have 1 to 255 characters')
  const place = [
    exchange.caller.organization_id,
    exchange.caller.oauth_application_id ?? exchange.caller.user_id,
    key,
  ]
  const mark = fingerprint(exchange)
  return exchange.service.context.db.transaction(async db => {
    const isFree = await lock(db, place.join(' '))
    // Also where the lock is taken: another repeat may hold it, and the answer is there nevertheless.
    const held = await find(exchange, db, place)
    if (held) return replay(exchange, held, mark, place)
    if (!isFree) throw stillRunning()
    const answer = await run(db)
    await store(exchange, db, place, mark, answer)
    return answer
  })
}

function fingerprint({ request }: Exchange): Buffer {
  return hash('sha256', `${request.method} ${request.url}\n${JSON.stringify(request.body ?? {})}`, 'buffer')
}

async function lock(db: Database, name: string): Promise<boolean> {
  const [row] = await db.query<{ is_free: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended('idempotency ' || $1, 0)) AS is_free`,
    [name],
  )
  return row?.is_free === true
}

function stillRunning(): RequestError {
  return new RequestError(
    'idempotency_in_progress',
    'a request with this Idempotency-Key is still running; try again shortly',
    { headers: { 'retry-after': '1' } },
  )
}

async function find(exchange: Exchange, db: Database, place: unknown[]): Promise<Stored | undefined> {
  const oldest = addSeconds(exchange.service.context.clock.now(), -kept)
  const [row] = await db.query<Stored>(
    'SELECT fingerprint, answer FROM idempotency_keys WHERE organization_id = $1 AND owner_id = $2 AND key = $3 AND created_at > $4',
    [...place, oldest],
  )
  return row
}

function replay(exchange: Exchange, held: Stored, mark: Buffer, place: unknown[]): Answer {
  if (!mark.equals(held.fingerprint))
    throw new RequestError(
      'idempotency_conflict',
      'this Idempotency-Key was used with another request; use a new key',
    )
  const answer: Answer = JSON.parse(exchange.service.context.vault.decrypt(held.answer, place.join(' ')))
  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } }
}

/** Encrypted, since it may hold a PIN. */
async function store(
  exchange: Exchange,
  db: Database,
  place: unknown[],
  mark: Buffer,
  answer: Answer,
): Promise<void> {
  const { vault, clock } = exchange.service.context
  await db.query(
    `INSERT INTO idempotency_keys (organization_id, owner_id, key, fingerprint, answer, created_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (organization_id, owner_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at`,
    [...place, mark, vault.encrypt(JSON.stringify(answer), place.join(' ')), clock.now()],
  )
}
