import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../../config/start-error.ts'

const sqlite_busy = 5
// A killed process may hold the lock for a moment longer.
const patience_ms = 1000

/**
 * Locks the data folder for this process. The lock is SQLite's lock on an empty file: the kernel releases it
 * when the process ends, however it ends. A pid in a file could since have been reused by another process.
 */
export function lockDataDir(data_dir: string): Disposable {
  const lock = new DatabaseSync(join(data_dir, 'lock'), { timeout: patience_ms })
  const owner_path = join(data_dir, 'lock.pid')
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    const isHeld = cause instanceof Error && 'errcode' in cause && cause.errcode === sqlite_busy
    if (!isHeld) throw cause
    throw new StartError(`The data folder ${data_dir} is in use by process ${readOwner(owner_path)}.`, {
      cause,
    })
  }
  writeFileSync(owner_path, `${process.pid}\n`)
  return { [Symbol.dispose]: () => lock.close() }
}

function readOwner(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
