/**
 * Tells whoever holds something of the log in memory that the database has begun an epoch: it may have lost what they hold.
 * Every read of the feed reports the epoch it was answered in.
 */
export class EpochWatch {
  #epoch: number | undefined
  #listeners = new Set<() => void>()

  onBegun(listener: () => void): void {
    this.#listeners.add(listener)
  }

  see(epoch: number): void {
    const isNew = this.#epoch !== undefined && this.#epoch !== epoch
    this.#epoch = epoch
    if (isNew) for (const listener of this.#listeners) listener()
  }
}
