import { hash } from 'node:crypto'
import { invalid, isStorable, RequestError } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { tryLock } from '../../database/locks.ts'
import {
  deleteAnswer,
  emptyAnswers,
  findAnswer,
  isAboutErased,
  type KeyOwner,
  putAnswer,
  replaceAnswer,
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
  const { db, quotas, clock } = exchange.service.context
  const since = clock.now()
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
  if (!(await emptyIfErased(db, place, answer, since))) await store(exchange, db, place, answer)
  return answer
}

/** How far work of several transactions has come. Each of them stores it with what it changes. */
export interface Progress<Part> {
  /** What an earlier request with the same key had done when its process ended. */
  readonly held: readonly Part[]
  /** Throws if another request has taken over. */
  save(db: Database, parts: readonly Part[]): Promise<void>
}

/** What is stored of work that has not ended. */
interface Unfinished<Part> {
  readonly parts: readonly Part[]
}

/**
 * For work of several transactions: claims the key before, stores with each transaction what it has done, and
 * the answer after. If the process dies, a repeat continues behind the last transaction that was committed.
 */
export async function runInParts<Part>(
  exchange: Exchange,
  key: string,
  run: (progress: Progress<Part>) => Promise<Answer>,
): Promise<Answer> {
  const place = placeOf(exchange, key)
  const { db } = exchange.service.context
  const begun = await db.transaction(inner => begin<Part>(exchange, inner, place))
  if ('answer' in begun) return begun.answer
  const { held, claimed_at } = begun
  let isEmpty = held.length === 0
  const put = async (inner: Database, stored: Answer | Unfinished<Part>) => {
    if (!(await replaceAnswer(inner, place, seal(exchange, place, stored), claimed_at))) throw takenOver
  }
  try {
    const answer = await run({
      held,
      async save(inner, parts) {
        await put(inner, { parts })
        isEmpty = false
      },
    })
    if (!(await emptyIfErased(db, place, answer, claimed_at))) await put(db, answer)
    return answer
  } catch (error) {
    if (isEmpty && error !== takenOver) await deleteAnswer(db, place)
    throw error
  }
}

/** What was read before somebody was erased is not stored after it. */
async function emptyIfErased(
  db: Database,
  place: KeyOwner,
  { text }: Answer,
  since: string,
): Promise<boolean> {
  if (!(await isAboutErased(db, place, text, since))) return false
  const [organization_id, owner_id, key] = place
  await emptyAnswers(db, organization_id, [{ owner_id, key }])
  return true
}

const takenOver = new RequestError(
  'idempotency_in_progress',
  'this request was paused for so long that another one with its Idempotency-Key continues it',
)

export function isTakenOver(error: unknown): boolean {
  return error === takenOver
}

type Begun<Part> =
  | { readonly answer: Answer }
  | { readonly held: readonly Part[]; readonly claimed_at: string }

/** Claims the key, or returns the answer if there is one. A claim is free again when its process must be gone. */
async function begin<Part>(exchange: Exchange, db: Database, place: KeyOwner): Promise<Begun<Part>> {
  const { clock, quotas } = exchange.service.context
  const isFree = await tryLock(db, 'idempotency_key', ...place)
  const stored = await findAnswer(db, place, addSeconds(clock.now(), -lifetime))
  if (!isFree && !stored) throw inProgress()
  const claimed_at = clock.now()
  if (!stored) {
    await quotas.take(db, 'idempotency_key', [place[0]])
    await putAnswer(db, place, {
      fingerprint: fingerprint(exchange),
      answer: seal(exchange, place, { parts: [] }),
      created_at: claimed_at,
    })
    return { held: [], claimed_at }
  }
  refuseOther(exchange, stored)
  const known = unseal<Answer | Unfinished<Part>>(exchange, place, stored)
  if (known && 'text' in known) return { answer: await repeat(exchange, db, known) }
  if (!isFree || !known || stored.created_at > addSeconds(claimed_at, -longestCommand)) throw inProgress()
  await putAnswer(db, place, { ...stored, created_at: claimed_at })
  return { held: known.parts, claimed_at }
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
  refuseOther(exchange, held)
  const answer = unseal<Answer>(exchange, place, held)
  if (!answer) throw unfinished(exchange, held)
  return repeat(exchange, db, answer)
}

function refuseOther(exchange: Exchange, held: StoredAnswer): void {
  if (!fingerprint(exchange).equals(held.fingerprint))
    throw new RequestError(
      'idempotency_conflict',
      'this Idempotency-Key was already used with a different request; use a new key',
    )
}

async function repeat(exchange: Exchange, db: Database, answer: Answer): Promise<Answer> {
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

/** Encrypts what is stored, since it may hold a PIN. */
function seal(exchange: Exchange, place: KeyOwner, value: object): Uint8Array {
  return exchange.service.context.vault.encrypt(JSON.stringify(value), sealedAs.idempotent_answer(...place))
}

function unseal<Value>(exchange: Exchange, place: KeyOwner, { answer }: StoredAnswer): Value | undefined {
  const { vault } = exchange.service.context
  return answer === null ? undefined : JSON.parse(vault.decrypt(answer, sealedAs.idempotent_answer(...place)))
}

async function store(
  exchange: Exchange,
  db: Database,
  place: KeyOwner,
  answer: Answer | null,
): Promise<void> {
  const { clock } = exchange.service.context
  const sealed = answer && seal(exchange, place, answer)
  await putAnswer(db, place, { fingerprint: fingerprint(exchange), answer: sealed, created_at: clock.now() })
}
