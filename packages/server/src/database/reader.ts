import { setTimeout as sleep } from 'node:timers/promises'
import { isAway, isBusy, isConflict, isTimeout } from './away.ts'
import type { Database, Pool } from './db.ts'

/** Where reads that need no lock come from. Decisions never do. */
export interface Reader {
  /** Runs `work` on a standby that has everything acknowledged before now, or else on the primary. */
  read<T>(work: (db: Database) => Promise<T>): Promise<T>
}

/** What was read where, for metrics. */
type Note = (from: 'standby' | 'primary') => void

/** Milliseconds that a standby has to catch up for one read, and between two looks at it. */
const patience = 200
const look = 10
/** Milliseconds during which the primary serves all reads, after a standby was behind or unreachable. */
const rest = 2000

/** How far the primary was at some time: in which epoch, and up to where its log was on disk. */
interface Mark {
  readonly epoch: number
  readonly began_at: string
  readonly flushed: string
}

export function primaryReader(primary: Pool): Reader {
  return { read: work => work(primary) }
}

/**
 * Reads from standbys and still sees every write that was acknowledged before the read began, whichever
 * process acknowledged it. Each read asks the primary how far it is, which costs it next to nothing, and then
 * looks on the standby, on the connection that reads, whether it has come that far. A commit is acknowledged
 * only once its log is on disk, so it lies before that point.
 *
 * A position in the log says nothing across timelines: a former primary may be further than the new one. So
 * the standby must also know the epoch of the feed that runs on the primary, and no later one.
 */
export function standbyReader(primary: Pool, standby: Pool, note: Note): Reader {
  let restUntil = 0
  const ask = shareNext(() => readMark(primary))
  return {
    async read(work) {
      if (performance.now() < restUntil) return work(primary)
      try {
        const mark = await ask()
        const answer = await standby.transaction(async inner => {
          await catchUp(inner, mark)
          return work(inner)
        })
        note('standby')
        return answer
      } catch (error) {
        if (!isOfStandby(error)) throw error
        restUntil = performance.now() + rest
        note('primary')
        return work(primary)
      }
    },
  }
}

class Behind extends Error {
  override name = 'Behind'
}

/** Includes statements that the standby canceled because they were in the way of replaying the log. */
function isOfStandby(error: unknown): boolean {
  return error instanceof Behind || isAway(error) || isBusy(error) || isConflict(error) || isTimeout(error)
}

async function readMark(primary: Pool): Promise<Mark> {
  const [mark] = await primary.query<Mark>(
    `SELECT e.epoch, e.began_at, pg_current_wal_flush_lsn()::text AS flushed FROM feed_epochs e WHERE e.epoch = feed_epoch()`,
  )
  if (!mark) throw new Behind('the epoch of the feed has no row')
  return mark
}

async function catchUp(standby: Database, { epoch, began_at, flushed }: Mark): Promise<void> {
  for (const deadline = performance.now() + patience; ; await sleep(look)) {
    const [row] = await standby.query<{ is_there: boolean | null }>(
      `SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END >= $1::pg_lsn
         AND (SELECT (epoch, began_at) = ($2::integer, $3::timestamptz) FROM feed_epochs ORDER BY epoch DESC LIMIT 1) AS is_there`,
      [flushed, epoch, began_at],
    )
    if (row?.is_there) return
    if (performance.now() > deadline) throw new Behind('the standby is behind the primary')
  }
}

/**
 * Calls `ask` once for all who ask at the same time. Whoever comes while it runs gets the next answer, since
 * this one may be older than what it must see.
 */
function shareNext<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  const start = (): Promise<T> => {
    next = undefined
    const asked = ask().finally(() => {
      if (running === asked) running = undefined
    })
    running = asked
    return asked
  }
  return () => {
    if (!running) return start()
    next ??= running.then(start, start)
    return next
  }
}
