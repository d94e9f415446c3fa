import type { Session } from '../../database/session.ts'
import { BackupError } from '../archive/backup-error.ts'
import type { Manifest } from '../archive/manifest.ts'
import type { BaseOptions } from '../physical/base.ts'

export async function backUpLogically(_session: Session, _options: BaseOptions): Promise<Manifest> {
  throw new BackupError('not yet')
}
