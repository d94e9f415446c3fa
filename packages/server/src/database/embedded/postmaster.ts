import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { StartError } from '../../config/start-error.ts'
import { type Account, runAs } from './account.ts'
import type { LogFile } from './log-file.ts'
import type { ClusterPaths } from './place.ts'
import { readPidFile } from './process.ts'

/** A running PostgreSQL, as a child of this process. */
export type Postmaster = { pid: number; exited: Promise<string>; stop: () => Promise<void> }

type Launch = {
  place: ClusterPaths
  log_file: LogFile
  parameters: Record<string, string>
  onLaunch?: (() => void) | undefined
}

const shutdown_patience = 30_000

/** Starts PostgreSQL and waits until it accepts connections. */
export async function startPostmaster(launch: Launch, signal: AbortSignal): Promise<Postmaster> {
  const log_size = launch.log_file.size()
  const postmaster = spawnPostmaster(launch)
  launch.onLaunch?.()
  // Whoever waits for a PostgreSQL that has ended would wait forever.
  const settled = new AbortController()
  const given_up = AbortSignal.any([signal, settled.signal])
  const ready = waitUntilReady(launch.place, postmaster.pid, given_up)
  const reason = await Promise.race([postmaster.exited, ready]).finally(() => settled.abort())
  if (reason === undefined) return postmaster
  await postmaster.stop()
  throw new StartError(`PostgreSQL does not start: ${launch.log_file.fatalSince(log_size) ?? reason}.`)
}

function spawnPostmaster({ place, log_file, parameters }: Launch): Postmaster {
  const flags = Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(place.bin_dir, 'postgres'), ['-D', place.database_dir, ...flags], {
    ...runAs(place.account),
    // In its own process group: Ctrl-C must reach only the service, which then stops PostgreSQL last.
    detached: true,
    stdio: ['ignore', log_file.descriptor, log_file.descriptor],
  })
  const pid = child.pid ?? 0
  const exited = waitForExit(child)
  if (pid) guard(pid, place.account, exited)
  return { pid, exited, stop: () => stop(child, exited) }
}

function waitForExit(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('exit', (code, name) => resolve(`it ended with ${name ?? code}`))
  })
}

// Starts a shell that blocks reading its stdin. The pipe closes when this process ends, however it ends, and
// the shell then stops PostgreSQL. So PostgreSQL never outlives the service.
function guard(pid: number, account: Account | undefined, exited: Promise<string>): void {
  const guardian = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$1"', 'sh', String(pid)], {
    ...runAs(account),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guardian.on('error', () => {})
  guardian.unref()
  const input = guardian.stdin as Socket
  input.unref()
  exited.then(() => guardian.kill('SIGKILL'))
}

// No deadline: crash recovery can take arbitrarily long.
async function waitUntilReady(
  place: ClusterPaths,
  pid: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  while (!signal.aborted) {
    const file = await readPidFile(place.database_dir)
    if (file?.pid === pid && file.is_ready) return undefined
    await setTimeout(10)
  }
  return 'it was told to stop'
}

async function stop(child: ChildProcess, exited: Promise<string>): Promise<void> {
  child.kill('SIGINT')
  const impatience = globalThis.setTimeout(() => child.kill('SIGQUIT'), shutdown_patience)
  await exited
  clearTimeout(impatience)
}
