import type { Logger } from 'pino'
import { StartError } from '../config/start-error.ts'
import type { Database } from '../database/db.ts'
import { pause, type Timers } from '../flow/timers.ts'
import { findOpenRestore } from './restores.ts'

/** Milliseconds. */
const lookGap = 500

interface RecoveryContext {
  readonly db: Database
  readonly log: Logger
  readonly timers: Timers
}

/**
 * Tells whether the service is recovered: restored from a backup, and not confirmed yet. Then it reads and
 * takes in what devices report, and changes and sends nothing. It never becomes so while it runs.
 */
export class Recovery implements AsyncDisposable {
  readonly #context: RecoveryContext
  readonly #end = new AbortController()
  readonly #over = Promise.withResolvers<void>()
  #running: Promise<void> = Promise.resolve()
  #isOn = false

  constructor(context: RecoveryContext) {
    this.#context = context
  }

  get is_on(): boolean {
    return this.#isOn
  }

  /** Throws if marking was interrupted: what must not come back may still be there. */
  async open(): Promise<this> {
    const restore = await findOpenRestore(this.#context.db)
    if (restore && restore.marked_at === null)
      throw new StartError(
        `The restore of backup ${restore.backup_id} was interrupted, and what was revoked since may be in force again: run gatehouse restore mark.`,
      )
    this.#isOn = restore !== undefined
    if (!restore) this.#over.resolve()
    else this.#running = this.#watch()
    return this
  }

  /** Resolves when the service is not recovered, or not any more. Never resolves if the service stops before. */
  over(): Promise<void> {
    return this.#over.promise
  }

  /** A confirmation comes from the command line, in another process. */
  async #watch(): Promise<void> {
    const { db, log, timers } = this.#context
    log.warn('this service was restored from a backup: it is read-only until gatehouse restore confirm')
    while (this.#isOn && !this.#end.signal.aborted) {
      await pause(timers, lookGap, this.#end.signal)
      const isOpen = await findOpenRestore(db).then(Boolean, () => true)
      if (!isOpen && !this.#end.signal.aborted) this.#finish()
    }
  }

  #finish(): void {
    this.#context.log.info('the restore was confirmed: the service goes on')
    this.#isOn = false
    this.#over.resolve()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#running
  }
}
