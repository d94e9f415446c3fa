import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartError } from '../../config/start-error.ts'
import { codeOf } from '../../flow/failures.ts'
import type { ClusterPaths } from './place.ts'
import { isAlive, isPostmaster, readPidFile } from './process.ts'

/**
 * Cleans up after a killed service. The caller holds the lock on the data folder, so a PostgreSQL still
 * running there is orphaned. It is stopped rather than adopted: only a child of this process runs with the
 * current parameters and reports its exit.
 */
export async function clearRemains(place: ClusterPaths, log: Pick<Logger, 'warn'>): Promise<void> {
  const pid = (await readPidFile(place.database_dir))?.pid
  if (pid && (await isPostmaster(pid, place.database_dir))) {
    log.warn({ pid }, 'stopping the PostgreSQL that a killed service left behind')
    await endPostmaster(pid, place.database_dir)
  }
  await removeMisleading(place)
}

async function endPostmaster(pid: number, database_dir: string): Promise<void> {
  for (const [name, patience] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
  ] as const) {
    signalUnlessGone(pid, name)
    if (await waitUntilGone(pid, database_dir, patience)) return
  }
  throw new StartError(
    `The database in ${database_dir} is held by process ${pid}, which does not stop: stop it first.`,
  )
}

function signalUnlessGone(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

async function waitUntilGone(pid: number, database_dir: string, patience: number): Promise<boolean> {
  const deadline = performance.now() + patience
  while (await isPostmaster(pid, database_dir)) {
    if (performance.now() > deadline) return false
    await setTimeout(20)
  }
  return true
}

// PostgreSQL removes a stale pid file itself, unless the pid now belongs to another process of the same user:
// then it refuses to start. Removing the file is safe even if backends survived, because PostgreSQL also
// detects them by the shared memory of the folder.
async function removeMisleading(place: ClusterPaths): Promise<void> {
  const pid = (await readPidFile(place.database_dir))?.pid
  if (pid && isAlive(pid)) await rm(join(place.database_dir, 'postmaster.pid'))
  await rm(join(place.socket_dir, '.s.PGSQL.5432.lock'), { force: true })
}
