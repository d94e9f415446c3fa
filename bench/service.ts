import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, findConnection, type Pool } from '../packages/server/src/index.ts'
// @ts-expect-error: plain JavaScript, since it also runs before anything is installed
import { buildService } from '../scripts/build-service.mjs'

export interface Service extends AsyncDisposable {
  readonly url: string
  readonly data_dir: string
  readonly pid: number
  readonly db: Pool
  /** Resident memory in megabytes. */
  memory(): Promise<number>
  metric(name: string): Promise<number>
}

const root = new URL('..', import.meta.url).pathname

/** Starts the service as `npm start` does, with its embedded database in a temporary folder. */
export async function startService(more: Readonly<Record<string, string>> = {}): Promise<Service> {
  await buildService()
  await using owned = new AsyncDisposableStack()
  const data_dir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
  owned.defer(() => rm(data_dir, { recursive: true, force: true, maxRetries: 5 }))
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const { variables, args } = startCommand()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...environment(data_dir, port), ...variables, ...more },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  owned.defer(() => stop(child))
  await waitUntilReady(url, child)
  const db = owned.use(connect(findConnection(data_dir)))
  const kept = owned.move()
  return {
    url,
    data_dir,
    pid: child.pid ?? 0,
    db,
    memory: async () => (await readMetric(url, 'gatehouse_memory_bytes')) / 1024 / 1024,
    metric: name => readMetric(url, name),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Returns the variables and arguments of the start script: `NAME=value … node argument …`. */
function startCommand(): { variables: Record<string, string>; args: string[] } {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const words: string[] = scripts.start.split(' ')
  const node = words.indexOf('node')
  const variables = Object.fromEntries(words.slice(0, node).map(word => word.split('=')))
  return { variables, args: words.slice(node + 1) }
}

export function environment(data_dir: string, port: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: '',
    GATEHOUSE_PUBLIC_URL: '',
    GATEHOUSE_DATA_DIR: data_dir,
    GATEHOUSE_DEMO: 'false',
    GATEHOUSE_LOG_LEVEL: 'warn',
    GATEHOUSE_RATE_LIMIT: '0',
  }
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Waits for the first 200 response of a process. Throws when the process exits first. */
export async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(5)
  }
  throw new Error(`the service ended with ${child.exitCode}`)
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function readMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
}
