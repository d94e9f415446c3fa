import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConfigProblem } from '../config-problem.ts'

const busy = 5
/** Milliseconds to wait, because a process that was just killed takes a moment to exit. */
const patience = 1000

/**
 * Locks a data folder for this process: two controllers on one folder would drive each relay twice. Uses an
 * SQLite lock on an empty file, because the kernel releases it however the process ends. A process id in a
 * file could meanwhile belong to another process.
 */
export function lockFolder(folder: string): Disposable {
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: patience })
  const ownerPath = join(folder, 'lock.pid')
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    const isHeld = error instanceof Error && 'errcode' in error && error.errcode === busy
    if (!isHeld) throw error
    throw new ConfigProblem(
      `The data folder ${folder} is in use by process ${readOwner(ownerPath)}; each controller needs its own folder.`,
    )
  }
  writeFileSync(ownerPath, `${process.pid}\n`)
  return { [Symbol.dispose]: () => lock.close() }
}

function readOwner(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
