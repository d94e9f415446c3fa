import { hash } from 'node:crypto'
import { invalid, isStorable, RequestError } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { tryLock } from '../../database/locks.ts'
import {
  deleteAnswer,
  findAnswer,
  type KeyOwner,
  putAnswer,
  type StoredAnswer,
} from '../../store/idempotency-keys.ts'
import { sealedAs } from '../../vault/contexts.ts'
import type { Answer, Exchange } from './exchange.ts'
import { repeatSecrets } from './repeated-secrets.ts'

const lifetime = 24 * 3600
/** Seconds after which a command without an answer never gets one: its process is gone. */
const longestCommand = 30

/**
 * The first request with a key does the work, and its answer commits with the change. Repeats get the stored
 * answer. A repeat while the first still runs finds the lock taken. A request that fails stores nothing.
 */
export async function runOnce(
  exchange: Exchange,
  key: string,
  run: (db: Database) => Promise<Answer>,
): Promise<Answer> {
  const place = placeOf(exchange, key)
  const { db: pool, quotas } = exchange.service.context
  return pool.transaction(async db => {
    const held = await findLocked(exchange, db, place)
    if (held) return held
    await quotas.take(db, 'idempotency_key', [place[0]])
    const answer = await run(db)
    await store(exchange, db, place, answer)
    return answer
  })
}

/**
 * For commands, which cannot be rolled back: claims the key before, and stores the answer after. Answers that
 * report what hardware did are kept; other errors release the key. If the process dies, the claim stays
 * without an answer, and a repeat gets an error that the outcome is unknown.
 */
export async function runClaimed(
  exchange: Exchange,
  key: string,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const place = placeOf(exchange, key)
  const { db, quotas } = exchange.service.context
  const held = await db.transaction(async inner => {
    const known = await findLocked(exchange, inner, place)
    if (known) return known
    await quotas.take(inner, 'idempotency_key', [place[0]])
    await store(exchange, inner, place, null)
    return undefined
  })
  if (held) return held
  const answer = await run()
    .catch(asHardwareAnswer)
    .catch(error => giveBack(db, place, error))
  // If this fails, the claim stays: the command has run and must not run again.
  await store(exchange, db, place, answer)
  return answer
}

async function giveBack(db: Database, place: KeyOwner, error: unknown): Promise<never> {
  await deleteAnswer(db, place)
  throw error
}

function asHardwareAnswer(error: unknown): Answer {
  if (
    error instanceof RequestError &&
    (error.type === 'hardware_offline' || error.type === 'hardware_timeout')
  )
    return { status: error.status, text: JSON.stringify(error.toBody()), headers: {} }
  throw error
}

/** Also called for queries, which have nothing to replay, so that an invalid key is always reported. */
export function checkKey(key: string): void {
  if (key.length < 1 || key.length > 255 || !isStorable(key))
    throw invalid('Idempotency-Key', 'Idempotency-Key must have 1 to 255 characters')
}

function placeOf({ caller }: Exchange, key: string): KeyOwner {
  checkKey(key)
  return [caller.organization_id, caller.oauth_application_id ?? caller.user_id ?? '', key]
}

function fingerprint({ request }: Exchange): Buffer {
  return hash('sha256', `${request.method} ${request.url}\n${JSON.stringify(request.body ?? {})}`, 'buffer')
}

/**
 * Locks the key until the transaction ends, and returns its stored answer. Looks for the answer even if the
 * lock is taken, because another repeat may hold the lock.
 */
async function findLocked(exchange: Exchange, db: Database, place: KeyOwner): Promise<Answer | undefined> {
  const isFree = await tryLock(db, 'idempotency_key', ...place)
  const { clock } = exchange.service.context
  const held = await findAnswer(db, place, addSeconds(clock.now(), -lifetime))
  if (!held && !isFree) throw inProgress()
  return held && replay(exchange, db, held, place)
}

function inProgress(): RequestError {
  const message = 'a request with this Idempotency-Key is still running; try again shortly'
  return new RequestError('idempotency_in_progress', message, { headers: { 'retry-after': '1' } })
}

async function replay(
  exchange: Exchange,
  db: Database,
  held: StoredAnswer,
  place: KeyOwner,
): Promise<Answer> {
  if (!fingerprint(exchange).equals(held.fingerprint))
    throw new RequestError(
      'idempotency_conflict',
      'this Idempotency-Key was already used with a different request; use a new key',
    )
  if (held.answer === null) throw unfinished(exchange, held)
  const answer: Answer = JSON.parse(
    exchange.service.context.vault.decrypt(held.answer, sealedAs.idempotent_answer(...place)),
  )
  await repeatSecrets(exchange, db, answer.text)
  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } }
}

function unfinished(exchange: Exchange, { created_at }: StoredAnswer): RequestError {
  if (created_at > addSeconds(exchange.service.context.clock.now(), -longestCommand)) return inProgress()
  return new RequestError(
    'hardware_timeout',
    'the first request with this Idempotency-Key was cut off; whether the action happened is unknown',
  )
}

/** Encrypts the answer, since it may hold a PIN. */
async function store(
  exchange: Exchange,
  db: Database,
  place: KeyOwner,
  answer: Answer | null,
): Promise<void> {
  const { vault, clock } = exchange.service.context
  const sealed = answer && vault.encrypt(JSON.stringify(answer), sealedAs.idempotent_answer(...place))
  await putAnswer(db, place, { fingerprint: fingerprint(exchange), answer: sealed, created_at: clock.now() })
}
