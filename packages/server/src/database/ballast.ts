import { randomFillSync } from 'node:crypto'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const piece = 1024 * 1024

/** Disk space that is reserved while there is plenty and released when the disk is nearly full. */
export interface Ballast {
  take(): Promise<void>
  /** Returns whether there was any space to release. */
  giveBack(): Promise<boolean>
}

/**
 * Reserves space with a file of random bytes, which no file system can compress. If something else fills the
 * disk, this much space is left for PostgreSQL to write its WAL and to shut down or start cleanly.
 */
export function openBallast(path: string, bytes: number): Ballast {
  const file = join(path, 'ballast')
  return {
    async take() {
      const held = await stat(file).catch(() => undefined)
      if (held?.size !== bytes) await write(file, bytes).catch(() => rm(file, { force: true }))
    },
    async giveBack() {
      return rm(file).then(
        () => true,
        () => false,
      )
    },
  }
}

async function write(file: string, bytes: number): Promise<void> {
  await using handle: FileHandle = await open(file, 'w', 0o600)
  const buffer = Buffer.alloc(piece)
  for (let written = 0; written < bytes; written += piece) await handle.write(randomFillSync(buffer))
  await handle.sync()
}
