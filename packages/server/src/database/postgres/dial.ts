import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { codeOf, messageOf } from '../../flow/failures.ts'
import { Connection } from './connection.ts'
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
}

const keepAliveAfter = 5000

/** Opens a connection to a PostgreSQL that accepts writes. Throws a ConnectionError for any failure. */
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
  const connection = new Connection({ socket, reader }, options.most_prepared)
  return settle(connection, options)
}

/**
 * Sets the session up with a statement, because poolers reject these settings at startup. The same statement
 * reads whether the server is read-only.
 */
async function settle(connection: Connection, { statement_timeout }: DialOptions): Promise<Connection> {
  const [row] = await ask(
    connection,
    `SELECT pg_backend_pid() AS pid, current_setting('transaction_read_only') AS read_only,
       set_config('statement_timeout', '${Number(statement_timeout)}', false),
       set_config('idle_in_transaction_session_timeout', '60000', false), set_config('bytea_output', 'hex', false)`,
  )
  if (row?.read_only === 'on') {
    connection.end()
    throw new ConnectionError(
      'READ_ONLY',
      'the database accepts no writes: it is a replica, or set to read-only',
    )
  }
  connection.pid = Number(row?.pid)
  return connection
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
