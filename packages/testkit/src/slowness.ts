import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'

/** Milliseconds that a test has on an idle machine, unless it says that it needs more. */
export const usualLimit = 30_000
/** Nothing waits longer than this many times its limit, so that what hangs ends on any machine. */
export const patience = 10

/**
 * Returns how much slower this machine is now than an idle one of the kind that the limits were made on: by its load,
 * by what its host takes away, and by how long a known piece of work takes. Limits are scaled by it at their end
 * where possible: when a file of tests begins, the others may not have begun.
 */
export function slowness(): number {
  const load = (loadavg()[0] ?? 0) / availableParallelism()
  return Math.min(patience, Math.max(1, load) * pace())
}

/** Milliseconds of processor time that the piece of work takes on an idle machine of two processors. */
const usual = 45
/** Milliseconds. The speed of a machine does not change more often. */
const lasting = 60_000

let measured = { at: -Infinity, pace: 1, ticks: readTicks() }

function pace(): number {
  if (performance.now() - measured.at > lasting) {
    const ticks = readTicks()
    const busy = ticks.busy - measured.ticks.busy
    const stolen = busy > 0 ? (ticks.stolen - measured.ticks.stolen) / busy : 0
    measured = { at: performance.now(), pace: Math.max(1, work() / usual) * (1 + stolen), ticks }
  }
  return measured.pace
}

/** Returns how long the piece of work takes, whatever else runs meanwhile. */
function work(): number {
  const row = (_: unknown, index: number) => ({
    id: `row_${index}`,
    list: [index, `${index}`],
    is_odd: index % 2 === 1,
  })
  const text = JSON.stringify(Array.from({ length: 2000 }, row))
  const began = process.threadCpuUsage()
  for (let times = 0; times < 40; times++) JSON.parse(text)
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1000
}

/** How long the processors have worked, and how long others had them although they wanted to. Only Linux tells. */
function readTicks(): { busy: number; stolen: number } {
  try {
    const [, user = 0, nice = 0, system = 0, , , irq = 0, soft = 0, stolen = 0] = readFileSync(
      '/proc/stat',
      'utf8',
    )
      .split('\n', 1)
      .join()
      .split(/\s+/)
      .map(Number)
    return { busy: user + nice + system + irq + soft, stolen }
  } catch {
    return { busy: 0, stolen: 0 }
  }
}
