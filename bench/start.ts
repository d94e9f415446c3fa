import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { judge, measureInTurn, median, printTable } from './figures.ts'
import { environment, findFreePort, waitUntilReady } from './service.ts'

const root = new URL('..', import.meta.url).pathname

/** Measures the time from `npm start` to the first 200 response, with a used data folder. */
export async function measureStart(): Promise<void> {
  await using owned = new AsyncDisposableStack()
  const data_dir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
  owned.defer(() => rm(data_dir, { recursive: true, force: true, maxRetries: 5 }))
  const cold = await timeStart(data_dir)
  const { warm } = await measureInTurn({ warm: () => timeStart(data_dir) })
  printTable(
    'npm start to the first 200, median of 5',
    ['', 'seconds', 'bound', 'holds'],
    [
      ['warm', ...judge(median(warm), 1.5, 'at most')],
      ['with a new data folder', cold.toFixed(2), '', ''],
    ],
  )
}

async function timeStart(data_dir: string): Promise<number> {
  const port = await findFreePort()
  const begin = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    // Signals the process group, as a terminal does: npm alone would exit and leave the service running.
    detached: true,
    env: environment(data_dir, port),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await waitUntilReady(`http://127.0.0.1:${port}`, child)
  const took = (performance.now() - begin) / 1000
  process.kill(-(child.pid as number), 'SIGTERM')
  await waitUntilStopped(data_dir)
  return took
}

/** The database stops last, and npm does not wait for it. */
async function waitUntilStopped(data_dir: string): Promise<void> {
  while (existsSync(join(data_dir, 'database', 'postmaster.pid'))) await sleep(10)
}
