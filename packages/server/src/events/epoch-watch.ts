/**
 * Notifies listeners that cache parts of the log when the database has begun an epoch: it may have lost what
 * they hold. Every read of the feed reports its epoch.
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
