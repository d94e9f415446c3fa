import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judge, median, printTable } from '../figures.ts'
import { edgeArguments } from './command.ts'

const presses = 5
const doors = 64

/**
 * Measures from the turn of a schedule to the last door that is held, and from a panic button to the last order to a
 * lock of the gateway, the first time that it is pressed.
 */
export async function measurePanic(): Promise<void> {
  const took: number[] = []
  const late: number[] = []
  for (let press = 0; press < presses; press++) {
    const told = await pressOnce()
    took.push(told.milliseconds)
    late.push(told.late)
  }
  printTable(
    `A schedule turns, ${doors} doors of one gateway, no network, first turn of a process`,
    ['', 'measured', 'bound', 'holds'],
    [
      ['to the last door, median of 5, ms', ...judge(median(late), 250, 'at most', 0)],
      ['to the last door, longest, ms', Math.max(...late).toFixed(0), '', ''],
    ],
  )
  printTable(
    `A panic button, ${doors} doors of one gateway, no network, first press of a process`,
    ['', 'measured', 'bound', 'holds'],
    [
      ['to the last door, median of 5, ms', ...judge(median(took), 100, 'at most', 0)],
      ['to the last door, longest, ms', Math.max(...took).toFixed(0), '', ''],
    ],
  )
}

async function pressOnce(): Promise<{ milliseconds: number; late: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-panic-'))
  try {
    const child = fork(new URL('panic-process.ts', import.meta.url), [folder], { execArgv: edgeArguments() })
    const [[told], [code]] = await Promise.all([once(child, 'message'), once(child, 'exit')])
    if (code !== 0 || told.doors !== doors || told.held !== doors)
      throw new Error(`${told.held} doors were held, ${told.doors} were locked`)
    return told
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
