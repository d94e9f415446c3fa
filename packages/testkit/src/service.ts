import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'

export interface ServiceOptions {
  readonly port: number
  /** Additional environment variables. The process inherits only PATH. */
  readonly env?: Readonly<Record<string, string>>
  /** The entry file. Defaults to the bundle of this test run, otherwise to the sources. */
  readonly program?: string
  /** A command that runs the service as its last arguments, such as `unshare`. */
  readonly under?: readonly string[]
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** The service in a separate process, as `npm start` runs it. */
export interface Service extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  readonly exited: Promise<Exit>
  /** What it has printed so far. */
  stdout(): string
  kill(): Promise<Exit>
  terminate(): Promise<Exit>
}

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
/** Tells the processes of a test run where its bundle of the service is. */
export const programVariable = 'GATEHOUSE_TEST_PROGRAM'
/** The compile cache of `npm start`. Without it, a start takes twice as long. */
export const compiled = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url))

/** Starts the service and waits until it reports that it is running. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const service = launchService(options)
  const early = await Promise.race([service.exited, saysThatItRuns(service)])
  if (early) throw new Error(`the service ended early: ${early.stderr || early.stdout}`)
  return service
}

/** Starts the service without waiting. */
export function launchService({ port, env, program = programOf(), under = [] }: ServiceOptions): Service {
  const [command = '', ...flags] = [...under, process.execPath, program]
  const child = spawn(command, flags, {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled, ...quiet, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', chunk => {
      printed[name] += chunk
    })
  const exited = waitForExit(child, printed)
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    exited,
    stdout: () => printed.stdout,
    kill: () => end('SIGKILL'),
    terminate: () => end('SIGTERM'),
    [Symbol.asyncDispose]: async () => void (await end('SIGTERM')),
  }
}

function programOf(): string {
  return process.env[programVariable] ?? main
}

const quiet = {
  GATEHOUSE_DEMO: 'false',
  GATEHOUSE_LOG_LEVEL: 'fatal',
  GATEHOUSE_RATE_LIMIT: '0',
  GATEHOUSE_TURN_WAIT: '120000',
}

function waitForExit(child: ChildProcess, printed: { stdout: string; stderr: string }): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, ...printed }))
  })
}

async function saysThatItRuns(service: Service): Promise<undefined> {
  while (!service.stdout().includes('Gatehouse is running')) await sleep(5)
}

/** Below the ephemeral range, so that the system assigns none of them to another server. */
const lowestPort = 20_000
/** Each worker has its own, so that no other takes a port between the moment it was found and its first use. */
const portsOfWorker = 750
const ports = lowestPort + (Number(process.env.VITEST_POOL_ID ?? 0) % 16) * portsOfWorker
let used = randomInt(portsOfWorker)

/** Returns a free port that was not returned for long. */
export function findFreePort(tries = 20): Promise<number> {
  const port = ports + (used++ % portsOfWorker)
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', error =>
      tries > 0 ? resolve(findFreePort(tries - 1)) : reject(error),
    )
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })
}

export interface DataFolder extends AsyncDisposable {
  readonly path: string
}

/**
 * Creates a data folder as after a first start, with a key and a migrated database. Removed once the database
 * has stopped.
 */
export async function makeDataFolder(): Promise<DataFolder> {
  const folder = await makeEmptyFolder()
  const { files } = inject('databases')
  if (files === undefined) return folder
  await copyFiles(files, join(folder.path, 'database'))
  await writeFile(join(folder.path, 'secret-key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  return folder
}

/** Keeps owners and modes, which PostgreSQL requires. */
export async function copyFiles(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to])
}

/** Creates an empty data folder, for a first start. */
export async function makeEmptyFolder(): Promise<DataFolder> {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-test-'))
  return {
    path,
    async [Symbol.asyncDispose]() {
      // The database of a service that was killed stops by itself, but not immediately.
      for (let wait = 0; wait < 400 && findPostmaster(path) !== undefined; wait++) await sleep(25)
      await rm(path, { recursive: true, force: true })
    },
  }
}

/** Returns the process id of the embedded PostgreSQL; undefined when it is not running. */
export function findPostmaster(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDir, 'database/postmaster.pid'), 'utf8').split('\n', 1)[0])
    return process.kill(pid, 0) ? pid : undefined
  } catch {
    return undefined
  }
}
