import { randomBytes, randomInt } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database, Pool } from '../database/db.ts'
import { pause, systemTimers, type Timers } from '../flow/timers.ts'
import { Trouble } from '../monitoring/trouble.ts'
import { findDead, isLocked, lockClass, sayAlive } from '../store/migration/living-processes.ts'

const beatGap = 500
/**
 * Milliseconds that our own session must have lasted before we declare others dead: they may be reconnecting
 * as we are.
 */
const settled = 5000

/**
 * Proves that this process is alive, for everything that it owns. A dedicated session holds a lock, which
 * PostgreSQL releases as soon as the process is killed, but not while it is merely busy. Leases cover a
 * machine that is cut off, because PostgreSQL does not notice the end of its sessions.
 */
export class Life implements AsyncDisposable {
  readonly owner = randomBytes(9).toString('base64url')
  readonly #number = randomInt(1, 2 ** 31 - 1)
  readonly #session: Pool
  readonly #db: Database
  readonly #trouble: Trouble
  readonly #timers: Timers
  readonly #end = new AbortController()
  #since = Number.POSITIVE_INFINITY
  #running: Promise<void> = Promise.resolve()

  /** `session` is a pool of one connection that nothing else uses. */
  constructor(session: Pool, db: Database, log: Logger, timers: Timers = systemTimers) {
    this.#timers = timers
    this.#session = session
    this.#db = db
    this.#trouble = new Trouble(log, 'this process cannot say that it lives; what it owns has leases only')
  }

  /** Says that this process lives before it has started, so that nobody takes away what it relies on. */
  async announce(db: Database): Promise<void> {
    await this.#hold()
    await sayAlive(db, this.owner, this.#number)
  }

  start(): void {
    this.#running = this.#run()
  }

  async #run(): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      await this.#live().then(
        () => this.#trouble.over(),
        error => this.#trouble.met(error),
      )
      await pause(this.#timers, beatGap, signal)
    }
  }

  async #live(): Promise<void> {
    await this.#hold().catch(error => {
      this.#since = Number.POSITIVE_INFINITY
      throw error
    })
    await sayAlive(this.#db, this.owner, this.#number)
    if (this.#timers.elapsed() - this.#since > settled) await freeDead(this.#db)
  }

  /** A lost session is replaced by a new one, which takes the lock again. */
  async #hold(): Promise<void> {
    const [row] = await this.#session.query<{ was_held: boolean; is_held: boolean | null }>(
      `SELECT held AS was_held, CASE WHEN held THEN true ELSE pg_try_advisory_lock(${lockClass}, $1::integer) END AS is_held
       FROM (SELECT ${isLocked('$1::integer', 'AND pid = pg_backend_pid()')} AS held) l`,
      [this.#number],
    )
    if (!row?.is_held) throw new Error('another session holds the lock of this process')
    if (!row.was_held || this.#since === Number.POSITIVE_INFINITY) this.#since = this.#timers.elapsed()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#running
    await this.#db.query('DELETE FROM living_processes WHERE owner = $1', [this.owner]).catch(() => undefined)
    await this.#session[Symbol.asyncDispose]()
  }
}

/** Whether a process works on the database. One that was just killed may still count. */
export async function isServed(db: Database): Promise<boolean> {
  const rows = await db.query(`SELECT 1 FROM living_processes p WHERE ${isLocked('p.number')} LIMIT 1`)
  return rows.length > 0
}

/** Releases what dead processes owned. */
async function freeDead(db: Database): Promise<void> {
  const owners = await findDead(db)
  if (owners.length === 0) return
  const free = (table: 'feed_cursors' | 'webhook_lanes' | 'certificates' | 'jobs') =>
    db.query(`UPDATE ${table} SET owner = NULL, owned_until = NULL WHERE owner = ANY($1::text[])`, [owners])
  await free('feed_cursors')
  await free('webhook_lanes')
  await free('certificates')
  await free('jobs')
  await db.query('DELETE FROM living_processes WHERE owner = ANY($1::text[])', [owners])
}
