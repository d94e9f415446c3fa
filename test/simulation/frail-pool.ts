import type { Database, Effect, Pool } from '@gatehouse-access/server'

/** One life of a service process: from a start to the next crash. */
export interface Life {
  readonly isOver: boolean
  /** Runs something later, unless the life is over by then. */
  later(milliseconds: number, run: () => void): void
  /** Milliseconds before a statement runs. */
  latency(): number
  /** Returns true if the process crashes now. */
  crashes(): boolean
  outside<Value>(work: () => Promise<Value>): Promise<Value>
  now(): string
  listen(channel: string, receive: (payload: string) => void): void
  /** Call after events were committed. */
  committed(): void
  notify(channel: string, payload: string): void
  /** Call after a statement was executed. */
  noticed(text: string, params: readonly unknown[]): void
}

/** Breaks the connection of a dead process, so that the database rolls back its transaction. */
class Crashed extends Error {}

/**
 * The real database as seen by a process that can die before and after every statement. A transaction in
 * progress is then rolled back, a committed one stays, and the process learns of neither. Transactions take
 * no time between their statements, so that no process waits for a lock whose holder's time stands still. The
 * database uses the simulated clock.
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
