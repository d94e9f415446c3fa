import { chown, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { connectionFor } from '../database/embedded/connection-for.ts'
import { Session } from '../database/session.ts'
import { BackupBusyError, BackupError } from './archive/backup-error.ts'
import type { BackupKind, Manifest } from './archive/manifest.ts'
import type { Readers } from './archive/wrapped-keys.ts'
import { isMount, requireFolder } from './folder/backup-folder.ts'
import { changeState, readState } from './folder/own-files.ts'
import { readPublicKey } from './folder/public-key.ts'
import { backUpLogically } from './logical/dump.ts'
import { type BaseOptions, backUpPhysically } from './physical/base.ts'

export type BackupConfig = Pick<
  Config,
  'data_dir' | 'database_url' | 'database_direct_url' | 'secret_keys' | 'backup_dir'
>

export interface BackupOptions extends Pick<BaseOptions, 'signal' | 'onFile' | 'onProgress' | 'pace'> {
  readonly kind?: BackupKind | undefined
  readonly is_unencrypted?: boolean
}

/** Makes a backup. One is made at a time for each installation, by whichever process holds the lock. */
export async function makeBackup(config: BackupConfig, options: BackupOptions = {}): Promise<Manifest> {
  const { data_dir, secret_keys } = config
  const kind = options.kind ?? kindFor(config)
  if (kind === 'physical' && config.database_url)
    throw new BackupError(
      'A physical backup is made of the embedded database only: with DATABASE_URL, make a logical one.',
    )
  const readers = readersFor(config, options.is_unencrypted)
  const folder = await useFolder(config)
  using session = await Session.open(connectionFor(config))
  if (!(await holdBackupLock(session))) throw new BackupBusyError()
  const all = { ...options, folder, data_dir, readers, service_keys: secret_keys }
  return await (kind === 'physical' ? backUpPhysically(session, all) : backUpLogically(session, all))
}

export function kindFor({ database_url }: BackupConfig): BackupKind {
  return database_url ? 'logical' : 'physical'
}

/** Returns for whom backups are written. Throws if nobody could open them, unless that is wanted. */
export function readersFor({ data_dir, secret_keys }: BackupConfig, isUnencrypted = false): Readers {
  const recovery_key = isUnencrypted ? undefined : readPublicKey(data_dir)?.public_key
  if (!recovery_key && !isUnencrypted)
    throw new BackupError('There is no recovery key: gatehouse backup key makes one, and shows it once.')
  return { recovery_key, service_key: secret_keys[0] }
}

async function holdBackupLock(session: Session): Promise<boolean> {
  const [row] = await session.query<{ is_free: boolean }>(
    `SELECT pg_try_advisory_lock(hashtext('gatehouse backup')) AS is_free`,
  )
  return row?.is_free === true
}

/** Returns the backup folder, or throws if it cannot be used. */
export async function useFolder({ backup_dir, data_dir }: BackupConfig): Promise<string> {
  if (!backup_dir) throw new BackupError('There is no backup folder: set GATEHOUSE_BACKUP_DIR.')
  const { folder: known } = await readState(data_dir)
  const isNew = known?.path !== backup_dir
  await requireFolder(backup_dir, isNew)
  const is_mount = await isMount(backup_dir)
  if (!isNew && known?.is_mount && !is_mount)
    throw new BackupError(`The backup folder ${backup_dir} was a mount and is none now: mount it again.`)
  if (isNew) {
    await giveToService(backup_dir, data_dir)
    await changeState(data_dir, { folder: { path: backup_dir, since: new Date().toISOString(), is_mount } })
  }
  return backup_dir
}

/** A folder that root has created for a service that runs as another user is of no use to it. */
async function giveToService(folder: string, data_dir: string): Promise<void> {
  if (process.getuid?.() !== 0 || (await stat(folder)).uid !== 0) return
  const owner = await stat(join(data_dir, 'database')).catch(() => undefined)
  if (owner?.uid) await chown(folder, owner.uid, owner.gid)
}
