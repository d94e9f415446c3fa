import postgres from 'postgres'
import { formatStored } from './timestamps.ts'

export type Row = Record<string, unknown>

/** A pool, or one transaction of it: services do not care which they were given. */
export interface Database {
  query<R extends object = Row>(
    text: string,
    params?: readonly unknown[],
    options?: { prepare?: boolean },
  ): Promise<R[]>
  /** Runs `work` in a transaction; inside one already, in that one. Deadlocks and serialization failures are repeated. */
  transaction<T>(work: (inner: Database) => Promise<T>): Promise<T>
}

export interface Pool extends Database, AsyncDisposable {
  listen(channel: string, onMessage: () => void): Promise<unknown>
  readonly sql: postgres.Sql
}

export type ConnectionOptions =
  | { readonly url: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string }

/**
 * Timestamps stay strings from the driver to the wire: a JavaScript Date drops microseconds and breaks cursors.
 * A connection that fails is tried again at once on the next query, so that a database that returns is used.
 */
export function connect(connection: ConnectionOptions, size = 10): Pool {
  const options = {
    max: size,
    connect_timeout: 5,
    backoff: () => 0.2,
    onnotice: () => {},
    connection: {
      application_name: 'gatehouse',
      TimeZone: 'UTC',
      idle_in_transaction_session_timeout: 60_000,
    },
    types: {
      date: { to: 1184, from: [1082, 1114, 1184], serialize: (value: string) => value, parse: formatStored },
    },
  } as const
  const sql =
    'url' in connection ? openUrl(connection.url, options) : postgres({ ...connection, ...options } as never)
  return poolOver(sql as unknown as postgres.Sql)
}

/** As in libpq, `?host=/folder` names the folder of a Unix socket. */
function openUrl(text: string, options: object): postgres.Sql {
  const url = new URL(text)
  const host = url.searchParams.get('host')
  if (!host) return postgres(text, options as never)
  url.searchParams.delete('host')
  const port = Number(url.searchParams.get('port') ?? (url.port || 5432))
  return postgres(url.href, { ...options, host, port } as never)
}

function poolOver(sql: postgres.Sql): Pool {
  return {
    sql,
    query: (text, params = [], options = {}) => run(sql, text, params, options.prepare ?? true),
    transaction: work => repeatOnConflict(() => sql.begin(inner => work(transactionOver(inner)))) as never,
    listen: (channel, onMessage) => sql.listen(channel, onMessage),
    [Symbol.asyncDispose]: () => sql.end({ timeout: 5 }),
  }
}

function transactionOver(sql: postgres.TransactionSql): Database {
  const database: Database = {
    query: (text, params = [], options = {}) => run(sql, text, params, options.prepare ?? true),
    transaction: work => work(database),
  }
  return database
}

function run<R>(
  sql: postgres.Sql | postgres.TransactionSql,
  text: string,
  params: readonly unknown[],
  prepare: boolean,
): Promise<R[]> {
  return sql.unsafe(text, params as never[], { prepare }) as unknown as Promise<R[]>
}

const conflicts = new Set(['40001', '40P01'])

async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 5 || !conflicts.has((error as { code?: string }).code ?? '')) throw error
    }
  }
}
