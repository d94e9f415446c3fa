import { StartError } from '../config/start-error.ts'
import { codeOf } from '../flow/failures.ts'
import type { Connection } from './postgres/connection.ts'
import { ask } from './postgres/dial.ts'
import type { UrlOptions } from './postgres/login/address.ts'
import type { Row } from './postgres/wire/rows.ts'

const others = 2
const patience = 10_000

/**
 * Throws if the database could lose acknowledged writes: if it is read-only, or behind a pooler that assigns
 * a connection per transaction or statement. Such a pooler shows in one of two ways: a backend that serves
 * this connection also serves another that is still open, or this connection moves to a different backend.
 */
export async function checkDatabase(options: UrlOptions, dial: () => Promise<Connection>): Promise<void> {
  const { setting = 'DATABASE_URL' } = options
  const opened: Connection[] = []
  const open = async () => {
    const connection = await dial().catch(error => explain(error, setting, opened.length))
    opened.push(connection)
    return connection
  }
  try {
    const first = await open()
    if (options.is_pooled) return void (await askInside(first).catch(error => refuse(error, setting)))
    for (let left = others; left > 0; left--) await refuseSharing(first, await open(), setting)
  } finally {
    for (const connection of opened) connection.end()
  }
}

/** Throws if two URLs lead to different databases, as one of them would lead to a copy. */
export async function checkSame(main: Connection, direct: Connection): Promise<void> {
  const place = `SELECT pg_postmaster_start_time()::text AS started, current_database() AS name`
  const [one, other] = await Promise.all([ask(main, place), ask(direct, place)])
  if (JSON.stringify(one) === JSON.stringify(other)) return
  throw new StartError(
    'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases: the second must lead to the same primary, without the pooler.',
  )
}

async function refuseSharing(first: Connection, other: Connection, setting: string): Promise<void> {
  const before = await askPid(first)
  const held = await askInside(other).catch(error => refuse(error, setting))
  const again = await Promise.race([askPid(first), late()])
  if (held === other.pid && before === first.pid && again === first.pid && held !== again) return
  throw pooled('transaction', setting)
}

/** A pooler in statement mode closes the connection at the first BEGIN. */
function refuse(error: Error, setting: string): never {
  throw error.message.includes('statement pooling') ? pooled('statement', setting, error) : error
}

function pooled(unit: 'transaction' | 'statement', setting: string, cause?: Error): StartError {
  const wayOut =
    unit === 'transaction' && setting === 'DATABASE_URL'
      ? 'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, for what needs a session, or use pool_mode = session.'
      : 'Use pool_mode = session, or connect to PostgreSQL directly.'
  return new StartError(
    `${setting} leads through a pooler that gives each ${unit} another connection, such as PgBouncer with pool_mode = ${unit}: Gatehouse would lose changes this way. ${wayOut}`,
    cause && { cause },
  )
}

const pid = 'SELECT pg_backend_pid() AS pid'

async function askPid(connection: Connection): Promise<unknown> {
  return (await ask(connection, pid))[0]?.pid
}

/** Opens a transaction and leaves it open, so that a pooler cannot give its backend to another client. */
async function askInside(connection: Connection): Promise<unknown> {
  const [row] = await new Promise<Row[]>((resolve, reject) =>
    connection.send({
      ...{ shape: { text: pid, declared: [], types: [], uses: 1 }, params: [], mayPrepare: true },
      ...{ place: 'inside', begins: true, resolve, reject },
    }),
  )
  return row?.pid
}

/** Times out: behind a pooler with one backend, the first connection waits for the other's transaction. */
function late(): Promise<undefined> {
  return new Promise(resolve => setTimeout(resolve, patience, undefined).unref())
}

function explain(cause: unknown, setting: string, opened: number): never {
  const code = codeOf(cause)
  if (code === 'READ_ONLY')
    throw new StartError(
      `${setting} leads to a PostgreSQL that accepts no writes (a replica, or one set to read-only): Gatehouse needs the primary.`,
      { cause },
    )
  if (code === 'CONNECT_TIMEOUT' && opened > 0)
    throw new StartError(
      `${setting} let ${opened === 1 ? 'one connection' : `${opened} connections`} in and kept the next one waiting: Gatehouse needs seven more than GATEHOUSE_POOL_SIZE; with PgBouncer, raise default_pool_size.`,
      { cause },
    )
  throw cause
}
