import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { codeOf, messageOf } from '../../flow/failures.ts'
import { Connection, type Standing } from './connection.ts'
import type { Address } from './login/address.ts'
import { handshake } from './login/handshake.ts'
import { secure } from './login/tls.ts'
import { ConnectionError } from './wire/errors.ts'
import type { Row } from './wire/rows.ts'

interface DialOptions {
  readonly address: Address
  /** Milliseconds within which the connection must be ready for statements. */
  readonly connect_timeout: number
  /** Milliseconds, set in PostgreSQL. 0 means no timeout. */
  readonly statement_timeout: number
  readonly most_prepared: number
  /** Behind a pooler that assigns each transaction another connection, nothing can be set for a session. */
  readonly is_pooled?: boolean | undefined
  /** Whether to ask for the timeline, by which former primaries are recognized. */
  readonly asks_timeline?: boolean | undefined
}

const keepAliveAfter = 5000

/** Opens a connection and asks the server what it is. Throws a ConnectionError for any failure. */
export async function dial(options: DialOptions): Promise<Connection> {
  const socket = openSocket(options.address)
  const failure = Promise.withResolvers<never>()
  const fail = (error: Error) => failure.reject(error)
  const close = () =>
    fail(new ConnectionError('CONNECTION_CLOSED', 'the database closed a new connection at once'))
  const timer = setTimeout(() => fail(timedOut(options)), options.connect_timeout)
  socket.on('error', fail).on('close', close)
  try {
    return await Promise.race([failure.promise, open(socket, options)])
  } catch (error) {
    socket.destroy()
    throw asConnectionError(error)
  } finally {
    clearTimeout(timer)
    failure.promise.catch(() => undefined)
    socket.off('close', close)
  }
}

export function openSocket({ host, port }: Address): Socket {
  const socket = host.startsWith('/')
    ? connect({ path: join(host, `.s.PGSQL.${port}`) })
    : connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveAfter })
  return socket
}

async function open(plain: Socket, options: DialOptions): Promise<Connection> {
  await new Promise(resolve => plain.once('connect', resolve))
  const socket = await secure(plain, options.address)
  const reader = await handshake(socket, options.address)
  const { address, is_pooled, most_prepared } = options
  const connection = new Connection({ socket, reader, address }, is_pooled ? 0 : most_prepared)
  return settle(connection, options)
}

/**
 * Sets the session up with a statement, because poolers reject these settings at startup. The same statement
 * reads what the server is.
 */
async function settle(connection: Connection, options: DialOptions): Promise<Connection> {
  const [row] = await ask(
    connection,
    `SELECT ${options.is_pooled ? 0 : 'pg_backend_pid()'} AS pid, ${standingOf(options)}${settingsOf(options)}`,
  )
  connection.pid = Number(row?.pid)
  connection.standing = readStanding(row)
  return connection
}

/** Asks again what the server of a connection is. */
export async function askStanding(connection: Connection): Promise<Standing> {
  return readStanding((await ask(connection, `SELECT ${standingOf({ asks_timeline: true })}`))[0])
}

function standingOf({ asks_timeline }: Pick<DialOptions, 'asks_timeline'>): string {
  const standing = `current_setting('transaction_read_only') AS read_only, pg_is_in_recovery() AS is_standby`
  return asks_timeline ? `${standing}, ${timeline}` : standing
}

/** Standbys know their timeline only roughly, and hosted databases may not let everyone see the cluster's number. */
const timeline = `CASE WHEN pg_is_in_recovery() THEN 0
    ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer END AS timeline,
  CASE WHEN has_function_privilege('pg_control_system()', 'EXECUTE')
    THEN (SELECT system_identifier::text FROM pg_control_system()) END AS cluster`

function readStanding(row: Row | undefined): Standing {
  return {
    is_standby: row?.is_standby === true,
    is_read_only: row?.read_only === 'on',
    timeline: Number(row?.timeline ?? 0),
    cluster: typeof row?.cluster === 'string' ? row.cluster : null,
  }
}

/**
 * Parallel workers take longer to begin than nearly all statements of the service take, and on a busy machine
 * tens of milliseconds. What is gathered for an index of texts or metadata is sorted in by the statement with which it becomes too
 * much: 4 MB, as is usual, take it some 200 ms.
 */
function settingsOf({ statement_timeout, is_pooled }: DialOptions): string {
  if (is_pooled) return ''
  return `, set_config('statement_timeout', '${Number(statement_timeout)}', false), set_config('max_parallel_workers_per_gather', '0', false),
    set_config('idle_in_transaction_session_timeout', '60000', false), set_config('bytea_output', 'hex', false), set_config('gin_pending_list_limit', '256kB', false)`
}

/** Runs a single statement on a connection that is in no pool. */
export function ask(connection: Connection, text: string): Promise<Row[]> {
  const shape = { text, declared: [], types: [], uses: 1 }
  return new Promise((resolve, reject) =>
    connection.send({
      shape,
      params: [],
      mayPrepare: true,
      place: 'outside',
      begins: false,
      resolve,
      reject,
    }),
  )
}

function timedOut({ connect_timeout }: DialOptions): ConnectionError {
  return new ConnectionError('CONNECT_TIMEOUT', `the database did not answer within ${connect_timeout} ms`)
}

function asConnectionError(error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error
  const code = codeOf(error) ?? 'CONNECT_FAILED'
  return new ConnectionError(code, messageOf(error) || code, error)
}
