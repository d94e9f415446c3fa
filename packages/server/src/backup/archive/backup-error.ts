/** A backup or restore cannot do what was asked. The message is a sentence that says why, and what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}
