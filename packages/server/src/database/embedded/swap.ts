import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDir } from './cluster.ts'

/** A converted database that is whole, until it takes the place of the old one. */
const next = 'database.next'

/**
 * Puts a converted database in the place of the old one, which is kept under a name of its own. The caller holds
 * the lock on the data folder.
 */
export async function swapIn(data_dir: string, converted: string, kept: string): Promise<void> {
  const database_dir = join(data_dir, 'database')
  await rename(converted, join(data_dir, next))
  await syncDir(data_dir)
  await rename(database_dir, kept)
  await rename(join(data_dir, next), database_dir)
  await syncDir(data_dir)
}

/**
 * Ends what a swap that was killed has left. Without a database, the converted one takes the place that the old
 * one has left. With one, the old version may have been used since: it is converted again.
 */
export async function settleSwap(data_dir: string): Promise<void> {
  const converted = join(data_dir, next)
  if (!existsSync(converted)) return
  if (existsSync(join(data_dir, 'database'))) return rm(converted, { recursive: true })
  await rename(converted, join(data_dir, 'database'))
  await syncDir(data_dir)
}
