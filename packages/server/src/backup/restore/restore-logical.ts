import { BackupError } from '../archive/backup-error.ts'
import type { RestoreOptions } from './restore-physical.ts'

export async function restoreLogically(
  _options: RestoreOptions & { readonly url?: string | undefined },
): Promise<void> {
  throw new BackupError('not yet')
}
