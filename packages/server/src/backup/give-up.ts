import { statfs } from 'node:fs/promises'
import type { Database } from '../database/db.ts'
import { changeState } from './folder/own-files.ts'
import { dropSlot, findLogPlace } from './physical/slot.ts'

/** The part of the data disk that log may take while it waits for the backup folder. */
const most = 0.2
/** Free bytes below which the log gives way to the database, and from how much it is worth it. */
const leastFree = 1024 ** 3
const worthwhile = 256 * 1024 ** 2

/** Returns how many bytes of log may wait. */
export async function mostKept(data_dir: string): Promise<number> {
  const { blocks, bsize } = await statfs(data_dir)
  return Math.floor(blocks * bsize * most)
}

/**
 * Gives up the log that waits for a backup folder, before it fills the disk of the database: writes go on,
 * and a new base backup begins another line once the folder is back. Returns whether it did.
 */
export async function giveUpLog(
  db: Database,
  data_dir: string,
  reason: string,
  limit?: number,
): Promise<boolean> {
  const { kept_bytes, kept_from } = await findLogPlace(db)
  const { bavail, bsize } = await statfs(data_dir)
  const isScarce = bavail * bsize < leastFree && kept_bytes > worthwhile
  if (kept_from === null || (kept_bytes <= (limit ?? (await mostKept(data_dir))) && !isScarce)) return false
  await dropSlot(db)
  await changeState(data_dir, { broken: { at: new Date().toISOString(), reason } })
  await db.query('CHECKPOINT', [], { prepare: false })
  return true
}
