/** A file of a backup is not as it was written. The message says where, and the caller names the file. */
export class DamagedError extends Error {
  override name = 'DamagedError'
}
