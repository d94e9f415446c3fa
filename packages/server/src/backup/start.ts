import { type BackupContext, Backups, type BackupTimes } from './backups.ts'
import { dropSlot } from './physical/slot.ts'

/** Begins to make backups if there is a folder for them. Otherwise PostgreSQL keeps no log for them. */
export async function startBackups(
  context: BackupContext,
  times: BackupTimes = {},
): Promise<Backups | undefined> {
  const { config, db } = context
  if (config.backup_dir) {
    const backups = new Backups(context, times)
    backups.start()
    return backups
  }
  if (!config.database_url) await dropSlot(db).catch(() => undefined)
  return undefined
}
