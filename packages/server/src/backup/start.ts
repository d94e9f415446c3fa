import { existsSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { command_name } from '../config/place.ts'
import { type BackupContext, Backups, type BackupTimes } from './backups.ts'
import { publicKeyPath } from './folder/public-key.ts'
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

/** Returns what the operator has to do before backups are made, or undefined. */
export function missingForBackups({
  backup_dir,
  data_dir,
}: Pick<Config, 'backup_dir' | 'data_dir'>): string | undefined {
  if (!backup_dir) return 'none: set GATEHOUSE_BACKUP_DIR to a folder for them'
  if (!existsSync(publicKeyPath(data_dir)))
    return `none: ${command_name} backup key makes the recovery key for them`
  return undefined
}
