import type { Logger } from 'pino'
import type { Pool } from '../database/db.ts'

const channel = 'gatehouse_revocations'

/**
 * Tells everyone who remembers what tokens and sessions stand for to forget it, once a change of rights is committed. This
 * process hears it at once, the others by NOTIFY; where that is lost, they forget by themselves within a second.
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

  /** Nobody knows what was revoked: the database may have lost what it told. */
  forget(): void {
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
