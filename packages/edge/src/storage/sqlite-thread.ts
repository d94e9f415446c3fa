import { enableCompileCache } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Change, SmallKind } from './storage.ts'

type Mode = 'PASSIVE' | 'FULL' | 'TRUNCATE'

/** Writes in a separate thread, so that a slow disk does not block decisions. */
export type ThreadRequest =
  | { id: number; type: 'write'; changes: readonly Change[] }
  | { id: number; type: 'read'; after: number; limit: number }
  | { id: number; type: 'checkpoint'; mode: Mode }
  | { id: number; type: 'close' }

export interface ThreadAnswer {
  id: number
  value?: unknown
  error?: string
}

// Imported after the compile cache is enabled, so that no compiler stays in memory.
enableCompileCache()
const { SqliteWriter } = await import('./sqlite-writer.ts')
const { overwrites } = await import('./sqlite-schema.ts')

export interface ThreadData {
  readonly path: string
  readonly small_kinds: readonly SmallKind[]
}

const { path, small_kinds } = workerData as ThreadData
const db = new DatabaseSync(path)
db.exec('PRAGMA synchronous = FULL')
// Whatever is deleted is overwritten, so that nobody reads it from free pages.
db.exec('PRAGMA secure_delete = ON')
// The WAL of a large snapshot is many times its size. Truncates it to give the space back.
db.exec('PRAGMA journal_size_limit = 16777216')
const writer = new SqliteWriter(db, small_kinds)

parentPort?.on('message', (request: ThreadRequest) => {
  try {
    parentPort?.postMessage({ id: request.id, value: answer(request) } satisfies ThreadAnswer)
  } catch (error) {
    parentPort?.postMessage({
      id: request.id,
      error: error instanceof Error ? error.message : String(error),
    } satisfies ThreadAnswer)
  }
  if (request.type === 'close') parentPort?.close()
})

function answer(request: ThreadRequest): unknown {
  if (request.type === 'write') return writer.write(request.changes)
  if (request.type === 'read') return writer.readJournal(request.after, request.limit)
  if (request.type === 'checkpoint') return checkpoint(request.mode)
  return db.close()
}

/** Moves the log into the file, whose pages are then the only version. */
function checkpoint(mode: Mode): void {
  const { user_version } = db.prepare('PRAGMA user_version').get() ?? {}
  if (user_version !== overwrites) db.exec(`VACUUM; PRAGMA user_version = ${overwrites}`)
  const done = db.prepare(`PRAGMA wal_checkpoint(${mode})`).get()
  if (mode !== 'PASSIVE' && done?.busy !== 0) throw new Error('the log of the database is in use')
}
