import { messageOf } from '../flow/failures.ts'
import { BackupBusyError } from './archive/backup-error.ts'
import type { Manifest } from './archive/manifest.ts'
import { giveWay } from './give-way.ts'
import { type BackupConfig, makeBackup } from './make-backup.ts'
import { fullPace } from './physical/pace.ts'

/** What the process is asked. */
export interface Asked {
  readonly config: BackupConfig
  readonly gives_way: boolean
}

/** What the process tells the service that started it. */
export type Told =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'made'; readonly manifest: Manifest }
  | { readonly type: 'failed'; readonly message: string; readonly is_busy: boolean }

/**
 * A program that makes one backup for the service. Compressing and encrypting takes a processor for minutes, and in the
 * service itself every request would share it. It is asked by a message, since secrets are not for the command line,
 * and ends when the service does: its lock ends with it, and an unfinished file is no backup.
 */
process.once('message', async ({ config, gives_way }: Asked) => {
  if (gives_way) giveWay()
  const end = new AbortController()
  for (const event of ['disconnect', 'SIGTERM']) process.once(event, () => end.abort())
  const tell = (told: Told) => process.connected && process.send?.(told)
  try {
    const onFile = (path: string) => void tell({ type: 'file', path })
    const manifest = await makeBackup(config, { pace: fullPace, signal: end.signal, onFile })
    tell({ type: 'made', manifest })
  } catch (error) {
    tell({ type: 'failed', message: messageOf(error), is_busy: error instanceof BackupBusyError })
  }
  if (process.connected) process.disconnect?.()
})
