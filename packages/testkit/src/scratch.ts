import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = 'gatehouse-tests-'
/** What a whole run writes at the most, several times over. */
const neededBytes = 4 * 1024 ** 3

/**
 * From here on temporary files of this process and its children are in memory where that is large enough: a database is
 * copied there in a tenth of the time. Whoever names a folder by TMPDIR has it. What is made goes with `endScratch`.
 */
export function beginScratch(): void {
  if (process.env.TMPDIR !== undefined || freeBytes() < neededBytes) return
  removeRemains()
  const folder = join(memory, `${prefix}${process.pid}`)
  mkdirSync(folder)
  // As /tmp: services of tests run as other users.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
}

export function endScratch(): void {
  if (process.env.TMPDIR === join(memory, `${prefix}${process.pid}`))
    rmSync(process.env.TMPDIR, { recursive: true, force: true })
}

/** Of runs that were killed. */
function removeRemains(): void {
  for (const name of readdirSync(memory))
    if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length))))
      rmSync(join(memory, name), { recursive: true, force: true })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function freeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize
  } catch {
    return 0
  }
}
