import { type Config, readStatus } from '@gatehouse-access/server'

/** What the checks need to know of the backups. */
export interface BackupsFound {
  readonly newest: { readonly id: string; readonly age_seconds: number } | null
  readonly wal_lag_seconds: number | null
  readonly drill: { readonly at: string; readonly error: string | null } | null
  readonly broken: { readonly at: string; readonly reason: string } | null
}

/** Returns undefined if no backup folder is set. */
export async function describeBackups(config: Config): Promise<BackupsFound | undefined> {
  return config.backup_dir ? readStatus(config, config.backup_dir) : undefined
}
