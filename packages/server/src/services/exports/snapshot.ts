import type { Config } from '../../config/config.ts'
import type { Database } from '../../database/db.ts'
import { connectionFor } from '../../database/embedded/connection-for.ts'
import { gentle } from '../../database/gently.ts'
import { Session } from '../../database/session.ts'
import { databaseOf } from '../../database/session-database.ts'

/**
 * The database as it is at one moment, on a connection of its own. It writes nothing, so it has no transaction ID and
 * holds back no reader of the feed.
 */
export class Snapshot implements AsyncDisposable {
  readonly db: Database
  readonly #session: Session
  readonly #end: () => void
  readonly #over: Promise<unknown>

  private constructor(session: Session, db: Database, end: () => void, over: Promise<unknown>) {
    this.#session = session
    this.db = db
    this.#end = end
    this.#over = over
  }

  static async take(config: Config): Promise<Snapshot> {
    const session = await Session.open(connectionFor(config))
    await session.query('SET idle_in_transaction_session_timeout = 0')
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const over = session.transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', () => {
      begun.resolve()
      return end.promise
    })
    over.catch(begun.reject)
    await begun.promise
    const db = databaseOf(session)
    // The first statement takes the snapshot.
    await db.query('SELECT 1')
    return new Snapshot(session, gentle({ ...db, transaction: work => work(db) }), end.resolve, over)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end()
    await this.#over.catch(() => undefined)
    this.#session[Symbol.dispose]()
  }
}
