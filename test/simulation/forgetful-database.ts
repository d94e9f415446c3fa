import type { Database, Pool } from '@gatehouse-access/server'

/** Statements that get their own transaction id and wait for the disk. */
const writes = /\b(INSERT|UPDATE|DELETE)\b/

/**
 * The real database with a tail of asynchronous commits: notifications, which leave nothing but their ids.
 * Snapshots see those ids. A writer waits for the disk and flushes the tail, which uses up its ids. A crash
 * forgets them, and the next transactions get the ids that earlier snapshots have already seen.
 */
export class ForgetfulDatabase implements Pool {
  readonly #real: Pool
  readonly #isGuarded: boolean
  #tail = 0

  /** Without the guard, a crash leaves the epoch marker in place, so that it goes undetected. */
  constructor(real: Pool, isGuarded: boolean) {
    this.#real = real
    this.#isGuarded = isGuarded
  }

  commitUnsynced(count: number): void {
    this.#tail += count
  }

  async crash(): Promise<void> {
    this.#tail = 0
    if (this.#isGuarded) await this.#real.query('DELETE FROM feed_epoch_marker')
  }

  query: Pool['query'] = (text, params, options) => this.#run(this.#real, text, params, options)

  transaction: Pool['transaction'] = work =>
    this.#real.transaction(inner => {
      const database: Database = {
        query: (text, params, options) => this.#run(inner, text, params, options),
        transaction: more => more(database),
        afterCommit: effect => inner.afterCommit(effect),
      }
      return work(database)
    })

  afterCommit: Pool['afterCommit'] = effect => this.#real.afterCommit(effect)

  onCommit: Pool['onCommit'] = (effect, listener) => this.#real.onCommit(effect, listener)

  listen: Pool['listen'] = (channel, receive) => this.#real.listen(channel, receive)

  async [Symbol.asyncDispose](): Promise<void> {}

  async #run<R extends object>(
    db: Database,
    text: string,
    params?: readonly unknown[],
    options?: { prepare?: boolean },
  ): Promise<R[]> {
    if (writes.test(text)) await this.#sync()
    const rows = await db.query<R>(text, params, options)
    if (this.#tail === 0 || !text.includes('pg_current_snapshot()')) return rows
    return rows.map(row => ({ ...row, snapshot: ahead((row as { snapshot: string }).snapshot, this.#tail) }))
  }

  /** Runs on its own connection, so that the writer's id comes after all of them. */
  async #sync(): Promise<void> {
    const count = this.#tail
    this.#tail = 0
    if (count === 0) return
    const burn = `DO $$ BEGIN FOR number IN 1..${count} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`
    await this.#real.query(burn, [], { prepare: false })
  }
}

/** Returns a snapshot that sees `count` more ids. Transactions in progress stay so. */
function ahead(snapshot: string, count: number): string {
  const [low = '', high = '', under = ''] = snapshot.split(':')
  const later = (id: string) => String(Number(id) + count)
  return `${under === '' ? later(low) : low}:${later(high)}:${under}`
}
