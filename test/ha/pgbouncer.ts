import { spawn } from 'node:child_process'
import { chown, stat, writeFile } from 'node:fs/promises'
import { connect as dial } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort, makeEmptyFolder } from '@gatehouse-access/testkit'
import { findProgram } from './find-program.ts'

/** Debian's PgBouncer; undefined if it is not installed. */
export const pgbouncer: string | undefined = findProgram('pgbouncer')

export interface Bouncer extends AsyncDisposable {
  readonly port: number
  /** Returns the URL of a database through this PgBouncer. */
  url(database_url: string): string
}

export interface BouncerOptions {
  readonly pool_mode: 'session' | 'transaction' | 'statement'
  readonly default_pool_size?: number
  /** Where PostgreSQL is: the folder of its socket, or a host. */
  readonly host: string
  readonly port: number
  readonly settings?: Readonly<Record<string, string | number>>
}

export async function openBouncer(options: BouncerOptions): Promise<Bouncer> {
  await using owned = new AsyncDisposableStack()
  const { path } = owned.use(await makeEmptyFolder())
  const port = await findFreePort()
  const account = await chooseAccount(options.host)
  const settings = {
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any' },
    ...{ pool_mode: options.pool_mode, default_pool_size: options.default_pool_size ?? 3 },
    // As docs/high-availability.md has them.
    ...{ max_client_conn: 500, query_wait_timeout: 10, server_login_retry: 1, server_connect_timeout: 3 },
    ...options.settings,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const file = join(path, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]\n* = host=${options.host} port=${options.port} user=gatehouse\n[pgbouncer]\n${lines.join('\n')}\n`,
  )
  if (account) for (const each of [path, file]) await chown(each, account.uid, account.gid)
  const child = spawn(pgbouncer as string, ['-q', file], { cwd: '/', ...account, stdio: 'ignore' })
  const exited = new Promise(resolve => child.once('exit', resolve))
  owned.defer(async () => {
    child.kill('SIGKILL')
    await exited
  })
  while (!(await isOpen(port))) await sleep(10)
  const stack = owned.move()
  return {
    port,
    url: database_url =>
      `postgres://gatehouse@127.0.0.1:${port}${new URL(database_url).pathname}?sslmode=disable`,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** PgBouncer refuses to run as root, and must be able to reach the socket. */
async function chooseAccount(host: string): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = host.startsWith('/') ? await stat(host) : { uid: 65_534, gid: 65_534 }
  return { uid, gid }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = dial(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })
}
