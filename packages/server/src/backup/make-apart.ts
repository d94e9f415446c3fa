import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { BackupBusyError, BackupError } from './archive/backup-error.ts'
import type { Manifest } from './archive/manifest.ts'
import type { Asked, Told } from './backup-process.ts'
import type { BackupConfig, BackupOptions } from './make-backup.ts'

const program = fileURLToPath(new URL('./backup-process.ts', import.meta.url))

interface ApartOptions extends Required<Pick<BackupOptions, 'onFile' | 'signal'>> {
  /** Whether it runs only while nothing else wants to. On a machine that is always busy, it then never ends. */
  readonly gives_way: boolean
}

/** Makes a backup in a process of its own. */
export function makeBackupApart(
  config: BackupConfig,
  { gives_way, onFile, signal }: ApartOptions,
): Promise<Manifest> {
  // The data folder tells operators whose backup it is.
  const child = fork(program, [config.data_dir], {
    cwd: '/',
    env: { PATH: process.env.PATH },
    execArgv: [],
    serialization: 'advanced',
    signal,
  })
  return new Promise((resolve, reject) => {
    child.on('message', (told: Told) => {
      if (told.type === 'file') onFile(told.path)
      else if (told.type === 'made') resolve(told.manifest)
      else reject(told.is_busy ? new BackupBusyError() : new BackupError(told.message))
    })
    child.on('error', reject)
    // What it has told before it ended is heard first.
    child.on('close', (code, killed) =>
      reject(new BackupError(`The process that makes backups ended early, with ${killed ?? code}.`)),
    )
    child.send({ config: only(config), gives_way } satisfies Asked)
  })
}

/** The rest of the settings is not for other processes. */
function only({
  data_dir,
  database_url,
  database_direct_url,
  secret_keys,
  backup_dir,
}: BackupConfig): BackupConfig {
  return {
    data_dir,
    secret_keys,
    ...(database_url !== undefined && { database_url }),
    ...(database_direct_url !== undefined && { database_direct_url }),
    ...(backup_dir !== undefined && { backup_dir }),
  }
}
