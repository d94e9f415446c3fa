import { execFile, spawn } from 'node:child_process'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connect, type Pool, startEmbedded } from '@gatehouse-access/server'
import { findPostmaster, makeDataFolder, makeEmptyFolder } from '@gatehouse-access/testkit'
import { pino } from 'pino'

const run = promisify(execFile)

/** The PostgreSQL of a service. It restarts automatically after it is killed. */
export interface Cluster extends AsyncDisposable {
  /** The environment that makes a service use this cluster. */
  readonly env: Readonly<Record<string, string>>
  connect(): Pool
  postmaster(): number | undefined
}

/**
 * Killing a process loses only what it had not written. Only a machine crash loses unsynced data, and syncing
 * would take time here, so fsync is off. Asynchronous commits are written as late as possible, so that a
 * crash loses them on a busy machine as on an idle one.
 */
const settings = { fsync: 'off', wal_writer_delay: '10s' }
const log = pino({ level: 'silent' })

/** Starts the PostgreSQL release that is bundled with the service. */
export async function embeddedCluster(more: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  await using owned = new AsyncDisposableStack()
  const { path } = owned.use(await makeDataFolder())
  const embedded = owned.use(await startEmbedded({ data_dir: path, log, settings: { ...settings, ...more } }))
  const { host, user, database } = embedded.connection
  const port = more.port ?? embedded.connection.port
  return clusterAt(
    `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    () => embedded.pid,
    owned.move(),
  )
}

function clusterAt(url: string, postmaster: Cluster['postmaster'], owned: AsyncDisposableStack): Cluster {
  return {
    env: { DATABASE_URL: url, GATEHOUSE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') },
    connect: () => connect({ url }, 1),
    postmaster,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Starts another, installed PostgreSQL release. */
export async function installedCluster(
  bin: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  await using owned = new AsyncDisposableStack()
  const { path } = owned.use(await makeEmptyFolder())
  const account = await chooseAccount(path)
  const folder = join(path, 'database')
  // The service may have switched to another user, which must be able to reach the socket.
  await chmod(path, 0o711)
  await run(join(bin, 'initdb'), ['-D', folder, '-U', 'gatehouse', '-A', 'trust', '-N'], account)
  const parameters = { unix_socket_directories: path, listen_addresses: '', fsync: 'off', ...more }
  const flags = Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const end = new AbortController()
  const running = keepRunning(
    () => spawn(join(bin, 'postgres'), ['-D', folder, ...flags], account),
    end.signal,
  )
  owned.defer(async () => {
    end.abort()
    await running
  })
  await isReady(folder)
  const url = `postgres://gatehouse@localhost:${more.port ?? 5432}/postgres?host=${encodeURIComponent(path)}`
  return clusterAt(url, () => findPostmaster(path), owned.move())
}

/** PostgreSQL refuses to run as root. */
async function chooseAccount(path: string) {
  if (process.getuid?.() !== 0) return { cwd: '/' }
  const ids = await Promise.all(['-u', '-g'].map(flag => run('id', [flag, 'postgres'])))
  const [uid, gid] = ids.map(({ stdout }) => Number(stdout))
  await run('chown', [`${uid}:${gid}`, path])
  return { cwd: '/', uid, gid }
}

async function keepRunning(start: () => ReturnType<typeof spawn>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const child = start()
    child.stderr?.resume()
    const stop = () => child.kill('SIGQUIT')
    signal.addEventListener('abort', stop)
    await new Promise(resolve => child.once('exit', resolve))
    signal.removeEventListener('abort', stop)
  }
}

async function isReady(folder: string): Promise<void> {
  const read = () => readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  while ((await read()).split('\n')[7]?.trim() !== 'ready') await sleep(10)
}
