import { spawn } from 'node:child_process'
import { chmod, chown, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Pool } from '@gatehouse-access/server'
import { type DataFolder, findFreePort, makeDataFolder } from '@gatehouse-access/testkit'
import { preparePlace } from '../../packages/server/src/database/embedded/place.ts'

/** A PostgreSQL on a port of its own that does not restart by itself. */
export interface Node extends AsyncDisposable {
  readonly port: number
  /** A pool of one connection to this very server, whatever it is. */
  connect(): Pool
  /** Runs a statement on this very server. */
  ask<R extends object = object>(text: string, params?: readonly unknown[]): Promise<R[]>
  promote(): Promise<void>
  kill(signal?: NodeJS.Signals): void
}

const user = 'gatehouse'
const usual = {
  ...{ fsync: 'off', full_page_writes: 'off', shared_buffers: '32MB', max_connections: '200' },
  ...{ listen_addresses: '127.0.0.1', autovacuum: 'off', hot_standby: 'on', wal_keep_size: '64MB' },
}

/** Returns a URL for libpq that names the nodes in this order. */
export function urlOf(nodes: readonly Pick<Node, 'port'>[], query = ''): string {
  return `postgres://${user}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join()}/${user}?sslmode=disable${query}`
}

/**
 * Starts a primary and a standby that follows it. Both begin with the same files, so the standby needs no
 * base backup.
 */
export async function openPair(
  settings: Readonly<Record<string, string>> = {},
): Promise<AsyncDisposable & { readonly primary: Node; readonly standby: Node }> {
  await using owned = new AsyncDisposableStack()
  const folders = [owned.use(await makeDataFolder()), owned.use(await makeDataFolder())] as const
  const primary = owned.use(await startNode(folders[0], settings))
  await writeOwned(join(folders[1].path, 'database'), 'standby.signal', '')
  const standby = owned.use(
    await startNode(folders[1], {
      ...settings,
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${user} application_name=standby`,
    }),
  )
  while ((await primary.ask('SELECT 1 FROM pg_stat_replication')).length === 0) await sleep(10)
  const stack = owned.move()
  return { primary, standby, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function startNode(folder: DataFolder, settings: Readonly<Record<string, string>>): Promise<Node> {
  await chmod(folder.path, 0o711)
  const place = await preparePlace(folder.path)
  const port = await findFreePort()
  await writeOwned(
    place.database_dir,
    'pg_hba.conf',
    'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n',
  )
  const parameters = { ...usual, unix_socket_directories: place.socket_dir, port: String(port), ...settings }
  const flags = Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { uid, gid } = place.account ?? {}
  const child = spawn(join(place.bin_dir, 'postgres'), ['-D', place.database_dir, ...flags], {
    ...{ stdio: 'ignore', cwd: '/', ...(uid && gid && { uid, gid }) },
  })
  const exited = new Promise(resolve => child.once('exit', resolve))
  const open = () => connect({ url: urlOf([{ port }], '&target_session_attrs=any'), is_reader: true }, 1)
  const ask = async <R extends object = object>(text: string, params?: readonly unknown[]): Promise<R[]> => {
    await using db = open()
    return await db.query<R>(text, params, { prepare: false })
  }
  const early = exited.then(() => Promise.reject(new Error('a PostgreSQL of the test does not start')))
  await Promise.race([untilReady(place.database_dir, child.pid), early])
  early.catch(() => undefined)
  return {
    port,
    connect: open,
    ask,
    promote: async () => void (await ask('SELECT pg_promote()')),
    kill: (signal = 'SIGKILL') => void child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill('SIGCONT')
      child.kill('SIGQUIT')
      await exited
    },
  }
}

async function untilReady(folder: string, pid: number | undefined): Promise<void> {
  for (;;) {
    const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
    if (Number(lines[0]) === pid && lines[7]?.trim() === 'ready') return
    await sleep(10)
  }
}

/** Files that root writes must belong to the account that PostgreSQL runs as. */
async function writeOwned(folder: string, name: string, text: string): Promise<void> {
  await writeFile(join(folder, name), text, { mode: 0o600 })
  const { uid, gid } = await stat(folder)
  if (process.getuid?.() === 0) await chown(join(folder, name), uid, gid)
}
