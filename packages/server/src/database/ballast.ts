import { randomFillSync } from 'node:crypto'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const piece = 1024 * 1024

/** Room on the disk that is held while there is plenty, to be given back when there is none. */
export interface Ballast {
  take(): Promise<void>
  /** Whether there was any. */
  giveBack(): Promise<boolean>
}

/**
 * A file of random bytes, which no file system can store in less room. Whoever else fills the disk then leaves PostgreSQL
 * this much to write its log into and to shut down or start properly.
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
