import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { isConflict, isLoss } from './away.ts'
import { withEpochs } from './epochs.ts'
import { type Database, runQuery } from './query.ts'
import { formatTextArray, parseTextArray } from './text-arrays.ts'
import { formatStored } from './timestamps.ts'
import { runTransaction } from './transaction.ts'

export type { Database, Row } from './query.ts'

export interface Pool extends Database, AsyncDisposable {
  listen(channel: string, onMessage: (payload: string) => void): Promise<unknown>
}

export type ConnectionOptions =
  | { readonly url: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string }

/**
 * Timestamps stay strings from the driver to the wire: a JavaScript Date drops microseconds and breaks cursors.
 * A statement may take `statement_timeout` milliseconds, so that a few slow ones cannot hold the pool; 0: any time.
 */
export function connect(connection: ConnectionOptions, size = 10, statement_timeout = 0): Pool {
  const pool = renewing(() => open(connection, { max: size, backoff: () => 0, statement_timeout }))
  const listener = open(connection, { max: 1, backoff: () => 0.5 })
  return withEpochs({
    query: (text, params, options) => runQuery(pool.current(), text, params, options, pool.onFailure()),
    transaction: work => repeatOnConflict(() => runTransaction(pool.current(), work).catch(pool.onFailure())),
    listen: (channel, onMessage) => listener.listen(channel, onMessage),
    async [Symbol.asyncDispose]() {
      await Promise.all([pool.current().end({ timeout: 5 }), listener.end({ timeout: 0 })])
    },
  })
}

interface Renewing {
  current(): postgres.Sql
  /** What is done when something fails that was just handed to the current pool. */
  onFailure(): (error: unknown) => never
}

/**
 * Hands out the driver's pool, a new one after a connection broke: the driver keeps what it had not sent yet on the
 * broken one and would send that first on the next. The old pool may finish what still runs.
 */
function renewing(open: () => postgres.Sql): Renewing {
  let current = open()
  let onFailure = renewalOf(current)
  return { current: () => current, onFailure: () => onFailure }

  function renewalOf(used: postgres.Sql): (error: unknown) => never {
    return error => {
      if (used === current && isLoss(error)) {
        current = open()
        onFailure = renewalOf(current)
        void used.end({ timeout: 2 })
      }
      throw error
    }
  }
}

/** While the database is away each query fails by itself and at once; only a listener waits before it tries again. */
function open(
  connection: ConnectionOptions,
  { max, backoff, statement_timeout = 0 }: { max: number; backoff: () => number; statement_timeout?: number },
): postgres.Sql {
  const options = {
    max,
    backoff,
    connect_timeout: 3,
    onnotice: () => {},
    connection: {
      application_name: 'gatehouse',
      TimeZone: 'UTC',
      idle_in_transaction_session_timeout: 60_000,
      statement_timeout,
    },
    types: {
      date: { to: 1184, from: [1082, 1114, 1184], serialize: (value: string) => value, parse: formatStored },
      text_array: { to: 1009, from: [1009], serialize: formatTextArray, parse: parseTextArray },
    },
    // The driver would ask for the types of arrays on every new connection, and throw where nobody can catch it when
    // that one breaks meanwhile.
    fetch_types: false,
  }
  return 'url' in connection
    ? openUrl(connection.url, options)
    : postgres({ ...connection, ...options } as never)
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

async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 5 || !isConflict(error)) throw error
      await sleep(Math.random() * 20 * attempt)
    }
  }
}
