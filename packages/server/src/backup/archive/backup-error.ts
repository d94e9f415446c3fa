/** A backup or restore cannot do what was asked. The message is a sentence that says why, and what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** Another process makes a backup of the same installation. */
export class BackupBusyError extends BackupError {
  override name = 'BackupBusyError'

  constructor() {
    super('Another backup of this installation is being made: wait until it has ended.')
  }
}
