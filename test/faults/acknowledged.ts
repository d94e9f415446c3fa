import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@gatehouse-access/server'
import { Chance, seed } from '@gatehouse-access/testkit'

const chance = new Chance(seed)

/** The pool under test: ours, or a bare driver for comparison. */
export type Store = Pick<Database, 'query' | 'transaction'>

export interface Drive {
  /** The total number of statements. */
  readonly statements: number
  /** The number of concurrent tasks. */
  readonly at_once: number
}

/** The outcomes reported to callers, compared with the table's final content. */
export interface Account {
  readonly acknowledged: number
  readonly refused: number
  readonly unknown: number
  /** The caller got no response. */
  readonly unanswered: number
  /** Acknowledged, but missing in the table. */
  readonly lost: number
  /** Rejected by PostgreSQL or before sending, but present in the table. */
  readonly unwanted: number
  /** Transactions that are only partly present. */
  readonly torn: number
}

type Outcome = 'acknowledged' | 'refused' | 'unknown' | 'unanswered'
interface Piece {
  readonly ids: readonly number[]
  outcome: Outcome
}

const insert = 'INSERT INTO marks (id) VALUES ($1)'

/**
 * Runs a mix of statements and transactions, with far more concurrency than the pool can carry, and records
 * each outcome.
 */
export async function drive(store: Store, { statements, at_once }: Drive): Promise<Piece[]> {
  const pieces: Piece[] = []
  let next = 0
  const work = async () => {
    while (next < statements) {
      const count = 1 + chance.whole(0, 3)
      const ids = Array.from({ length: count }, () => next++)
      for (const piece of await runOne(store, ids, chance.next())) pieces.push(piece)
    }
  }
  await Promise.all(Array.from({ length: at_once }, work))
  return pieces
}

async function runOne(store: Store, ids: readonly number[], kind: number): Promise<Piece[]> {
  if (kind < 0.5) return Promise.all(ids.map(id => tell([id], () => store.query(insert, [id]))))
  const [first = 0] = ids
  if (kind < 0.55) return [await tell([first], () => store.query(rare(first), [first]))]
  if (kind < 0.58) return [await tell([first], () => store.query(slow, [first]))]
  if (kind < 0.61) return [await tell([first], () => store.query(failing, [first]))]
  return [await tell(ids, () => store.transaction(inner => fill(inner, ids, kind)))]
}

/** Returns a statement text that occurs only once. */
function rare(id: number): string {
  return `/* ${id} */ ${insert}`
}

/** Cancelled by `statement_timeout`. */
const slow = 'INSERT INTO marks (id) SELECT $1::bigint FROM (SELECT pg_sleep(5)) AS nap'
const failing = 'INSERT INTO marks (id) SELECT $1::bigint / (SELECT count(*) FROM marks WHERE id < 0)'

async function fill(inner: Store, ids: readonly number[], kind: number): Promise<void> {
  if (kind < 0.8) for (const id of ids) await inner.query(insert, [id])
  else await Promise.all(ids.map(id => inner.query(insert, [id])))
  if (kind > 0.97) throw new Error('its work failed')
  if (kind > 0.95) await inner.query(failing, [0]).catch(() => undefined)
  if (kind > 0.93) await inner.query(slow, [0])
}

/** Longer than every timeout after which a pool rejects its callers. */
const patience = 60_000

async function tell(ids: readonly number[], work: () => Promise<unknown>): Promise<Piece> {
  const unanswered = Promise.withResolvers<never>()
  const timer = setTimeout(() => unanswered.reject({ code: 'UNANSWERED' }), patience)
  try {
    await Promise.race([work(), unanswered.promise])
    return { ids, outcome: 'acknowledged' }
  } catch (error) {
    await sleep(chance.between(0, 20))
    return { ids, outcome: outcomeOf(error) }
  } finally {
    clearTimeout(timer)
  }
}

/** SQLSTATE classes 08 and 57P mean that the connection was lost, so the outcome is unknown. */
function outcomeOf(error: unknown): Outcome {
  const { code = '' } = error as { code?: string }
  if (code === 'UNANSWERED') return 'unanswered'
  if (error instanceof Error && error.message === 'its work failed') return 'refused'
  return code === 'POOL_BUSY' || /^(?!08|57P)[0-9A-Z]{5}$/.test(code) ? 'refused' : 'unknown'
}

export async function settleAccount(db: Pick<Database, 'query'>, pieces: readonly Piece[]): Promise<Account> {
  const rows = await db.query<{ id: string }>('SELECT id FROM marks')
  const stored = new Set(rows.map(({ id }) => Number(id)))
  const of = (outcome: Outcome) => pieces.filter(piece => piece.outcome === outcome)
  const count = (some: readonly Piece[]) => some.reduce((sum, { ids }) => sum + ids.length, 0)
  const found = (some: readonly Piece[], there: boolean) =>
    some.flatMap(({ ids }) => ids).filter(id => stored.has(id) === there).length
  return {
    acknowledged: count(of('acknowledged')),
    refused: count(of('refused')),
    unknown: count(of('unknown')),
    unanswered: count(of('unanswered')),
    lost: found(of('acknowledged'), false),
    unwanted: found(of('refused'), true),
    torn: pieces.filter(({ ids }) => new Set(ids.map(id => stored.has(id))).size > 1).length,
  }
}
