import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../flow/failures.ts'
import type { Entry } from '../archive/entries.ts'

/** Folders whose content PostgreSQL makes anew when it starts. The log is added by itself. */
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const leftOut =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|pgsql_tmp.*|pg_internal\.init.*|recovery\.signal|standby\.signal)$/
const control = 'global/pg_control'
const chunkSize = 1024 * 1024

/**
 * Yields the files of a running database, as they are while it writes: recovery brings what was copied too
 * early up to date. The control file comes last, because recovery starts from what it says.
 */
export async function* readDatabaseFiles(database_dir: string): AsyncGenerator<Entry> {
  yield* readFolder(database_dir, '')
  yield readFile(database_dir, control)
}

async function* readFolder(database_dir: string, path: string): AsyncGenerator<Entry> {
  const found = await readdir(join(database_dir, path), { withFileTypes: true }).catch(ignoreGone)
  for (const { name, ...entry } of (found ?? []).map(one => ({
    name: one.name,
    isFolder: one.isDirectory(),
  }))) {
    const inner = path === '' ? name : `${path}/${name}`
    if (leftOut.test(name) || inner === control) continue
    if (!entry.isFolder) {
      yield readFile(database_dir, inner)
      continue
    }
    yield { path: inner, is_folder: true }
    if (!emptied.has(inner)) yield* readFolder(database_dir, inner)
  }
}

function readFile(database_dir: string, path: string): Entry {
  return { path, content: readChunks(join(database_dir, path)) }
}

/** A file that is gone by now was dropped, and the log says so: it is empty here. */
async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path).catch(ignoreGone)
  if (!file) return
  try {
    const { size } = await file.stat()
    for (let position = 0; ; ) {
      const length = Math.max(8192, Math.min(chunkSize, size - position))
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
      if (bytesRead === 0) return
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

function ignoreGone(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

/** Returns about how many bytes the files have. */
export async function measureDatabase(database_dir: string): Promise<number> {
  const found = await readdir(database_dir, { recursive: true, withFileTypes: true })
  let bytes = 0
  for (const file of found.filter(one => one.isFile()))
    bytes += (await stat(join(file.parentPath, file.name)).catch(() => undefined))?.size ?? 0
  return bytes
}
