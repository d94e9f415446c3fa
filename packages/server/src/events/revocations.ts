import type { Logger } from 'pino'
import type { Pool } from '../database/db.ts'

const channel = 'gatehouse_revocations'

/**
 * Makes all caches of tokens and sessions drop their entries once a change of rights is committed. This
 * process is told at once, the others by NOTIFY. If that is lost, their entries expire within a second.
 */
export class Revocations {
  #listeners = new Set<() => void>()
  #db: Pool

  constructor(db: Pool, log: Logger) {
    this.#db = db
    db.onCommit('rights_changed', () => this.#announce())
    db.listen(channel, () => this.#tell()).catch(error =>
      log.warn({ err: error }, 'cannot listen for revocations; they are seen within a second'),
    )
  }

  onRevoked(listener: () => void): void {
    this.#listeners.add(listener)
  }

  #announce(): void {
    this.#tell()
    this.#db.query(`SELECT pg_notify('${channel}', '')`).catch(() => undefined)
  }

  /** Drops everything, because the database may have lost a revocation that it announced. */
  forget(): void {
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
