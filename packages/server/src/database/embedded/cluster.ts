import { execFile } from 'node:child_process'
import { chown, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../config/start-error.ts'
import { messageOf } from '../../flow/failures.ts'
import { runAs } from './account.ts'
import type { ClusterPaths } from './place.ts'

/** Name of the service's user and of its database. */
export const service_name = 'gatehouse'

// `trust` avoids having to store a password. Only the account and root can enter the socket folder, and both
// could read the database files anyway. `peer` would not match a root process next to an unprivileged
// PostgreSQL. PostgreSQL never listens on TCP.
const initdb_flags = [
  `--username=${service_name}`,
  '--auth-local=trust',
  '--auth-host=reject',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
]

/**
 * Creates the database files on the first start. They are built in a draft folder and renamed, so a start
 * that is killed halfway leaves only the draft.
 */
export async function createCluster(
  place: ClusterPaths,
  durable: boolean,
  onLaunch?: () => void,
): Promise<void> {
  if (await stat(place.database_dir).catch(() => undefined)) return
  await removeDrafts(place.data_dir)
  const draft = await mkdtemp(join(place.data_dir, 'draft-'))
  if (place.account) await chown(draft, place.account.uid, place.account.gid)
  const filled = fillCluster(place, draft, durable)
  onLaunch?.()
  await filled
  await rename(draft, place.database_dir)
  await syncDir(place.data_dir)
}

async function removeDrafts(data_dir: string): Promise<void> {
  const drafts = (await readdir(data_dir)).filter(name => name.startsWith('draft-'))
  // The `initdb` of a killed service may keep writing to its draft for a moment.
  const patience = { maxRetries: 10, retryDelay: 100 }
  await Promise.all(
    drafts.map(name => rm(join(data_dir, name), { recursive: true, force: true, ...patience })),
  )
}

async function fillCluster(place: ClusterPaths, draft: string, durable: boolean): Promise<void> {
  const sync = durable ? [] : ['--no-sync']
  try {
    await run(place, 'initdb', ['-D', draft, ...initdb_flags, ...sync])
    await run(place, 'postgres', ['--single', '-D', draft, 'postgres'], `CREATE DATABASE ${service_name}\n`)
  } catch (cause) {
    const stderr = cause instanceof Error && 'stderr' in cause ? cause.stderr : undefined
    const reason = typeof stderr === 'string' ? stderr.trim().split('\n').at(-1) : messageOf(cause)
    throw new StartError(`The database files cannot be created in ${place.data_dir}: ${reason}.`, { cause })
  }
}

async function run(place: ClusterPaths, program: string, flags: string[], input = ''): Promise<void> {
  const running = promisify(execFile)(join(place.bin_dir, program), flags, runAs(place.account))
  running.child.stdin?.end(input)
  await running
}

export async function syncDir(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync()
  await folder.close()
}
