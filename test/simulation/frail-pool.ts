import type { Database, Effect, Pool } from '@gatehouse/server'

/** One life of a process of the service: from a start to the next crash. */
export interface Life {
  readonly isOver: boolean
  /** Runs something later, unless its life is over by then. */
  later(milliseconds: number, run: () => void): void
  /** Milliseconds until a statement is looked at. */
  latency(): number
  /** True: this was its last moment. */
  crashes(): boolean
  outside<Value>(work: () => Promise<Value>): Promise<Value>
  now(): string
  listen(channel: string, receive: (payload: string) => void): void
  /** Events were committed. */
  committed(): void
  notify(channel: string, payload: string): void
  /** A statement has been executed. */
  noticed(text: string, params: readonly unknown[]): void
}

/** The connection of a dead process breaks, and the database takes its transaction back. */
class Crashed extends Error {}

/**
 * The real database as a process sees it that can die before and after every statement; a transaction under way is then rolled
 * back, one that was committed stays, and the process never hears of either. Transactions take no time between their
 * statements, so that nobody waits for the lock of somebody whose time stands still. The clock of the database is the simulated one.
 */
export function frailPool(real: Pool, life: Life): Pool {
  const ask = <Value>(act: () => Promise<Value>): Promise<Value> =>
    new Promise((resolve, reject) =>
      life.later(life.latency(), () => {
        if (life.crashes()) return
        life.outside(act).then(
          value => void (life.isOver || life.crashes() || resolve(value)),
          error => void (life.isOver || reject(error)),
        )
      }),
    )
  return {
    query(text, params = [], options) {
      if (text !== 'SELECT pg_notify($1, $2)') return ask(() => execute(real, life, text, params, options))
      life.notify(params[0] as string, params[1] as string)
      return ask(async () => [])
    },
    async transaction(work) {
      const had = new Set<Effect>()
      const result = await ask(() => real.transaction(inner => work(frailTransaction(inner, life, had))))
      if (had.has('events_written')) life.committed()
      return result
    },
    afterCommit: effect => void (effect === 'events_written' && life.committed()),
    onCommit: () => {},
    listen: async (channel, receive) => life.listen(channel, receive),
    [Symbol.asyncDispose]: async () => {},
  }
}

function frailTransaction(inner: Database, life: Life, had: Set<Effect>): Database {
  const database: Database = {
    async query(text, params = [], options) {
      if (life.isOver || life.crashes()) throw new Crashed()
      const rows = await execute<never>(inner, life, text, params, options)
      if (life.isOver || life.crashes()) throw new Crashed()
      return rows
    },
    transaction: work => work(database),
    afterCommit: effect => void had.add(effect),
  }
  return database
}

async function execute<R extends object>(
  db: Database,
  life: Life,
  text: string,
  params: readonly unknown[],
  options?: { prepare?: boolean },
): Promise<R[]> {
  if (text.includes('pg_notify')) throw new Error(`nobody listens to the real database: ${text}`)
  const rows = text.includes('now()')
    ? await db.query<R>(text.replaceAll('now()', `$${params.length + 1}::timestamptz`), [
        ...params,
        life.now(),
      ])
    : await db.query<R>(text, params, options)
  life.noticed(text, params)
  return rows
}
