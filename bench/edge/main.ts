import { fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { judge, printTable } from '../figures.ts'
import { edgeArguments } from './command.ts'
import { fill } from './fill.ts'
import { groups, key, members, pinOf, rulesOfGroup } from './size.ts'

interface Measured {
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** Milliseconds until `next_allowed_at` was found, over a year of exceptions: p99. */
  readonly next: number
  readonly rss: number
  readonly most_rss: number
}

/** Measures a controller with a large policy, compared with the minimum that any controller has to do. */
export async function measureEdge(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-edge-'))
  try {
    const path = join(folder, 'edge.sqlite')
    await fill(path)
    await runController(path)
    const { start, measured } = await runController(path)
    const bare = measureBare(path)
    printTable(
      `Edge: ${members * 2} credentials, ${groups * rulesOfGroup} rules`,
      ['', 'measured', 'bound', 'holds'],
      [
        ['start of the process to the first decision, ms', ...judge(start, 2000, 'at most', 0)],
        ['last key to driver, p50, ms', measured.p50.toFixed(3), '', ''],
        ['last key to driver, p99, ms', ...judge(measured.p99, 2, 'at most', 3)],
        ['last key to driver, longest, ms', measured.longest.toFixed(3), '', ''],
        ['bare: keyed hash and one look-up, p99, ms', bare.toFixed(3), '', ''],
        ['next_allowed_at over a year of exceptions, p99, ms', ...judge(measured.next, 5, 'at most', 3)],
        ['memory at the end, MB', ...judge(measured.rss, 150, 'at most', 0)],
        ['memory at the most, MB', ...judge(measured.most_rss, 150, 'at most', 0)],
      ],
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs it as the command does, with a compile cache from the second start on. */
async function runController(path: string): Promise<{ start: number; measured: Measured }> {
  const begun = performance.now()
  const child = fork(new URL('controller-process.ts', import.meta.url), [path], {
    execArgv: edgeArguments(),
    env: { ...process.env, NODE_COMPILE_CACHE: join(path, '..', 'compiled') },
  })
  const exited = once(child, 'exit')
  let start = Number.NaN
  let measured: Measured | undefined
  child.on('message', (message: { type: string } & Measured) => {
    if (message.type === 'decided') start = performance.now() - begun
    else measured = message
  })
  await exited
  if (!measured) throw new Error('the controller ended early')
  return { start, measured }
}

function measureBare(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true })
  const find = db.prepare(
    'SELECT id, member_id FROM credentials WHERE generation = 1 AND hash = ? AND kind = ?',
  )
  const took: number[] = []
  for (let count = 0; count < 20_000; count++) {
    const begun = performance.now()
    const pin = pinOf(Math.floor(Math.random() * members))
    const hash = createHmac('sha256', key)
      .update(`pin\0${pin}`)
      .digest()
      .subarray(0, 16)
      .toString('base64url')
    find.get(hash, 'pin')
    took.push(performance.now() - begun)
  }
  db.close()
  return took.sort((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? Number.NaN
}
