/** What users of the installation's only organization are told of its backups. */
export interface BackupsTold {
  /** When a backup was last restored for a trial. */
  readonly verified_at: string | null
  readonly is_failing: boolean
}

/** Knows how the backups are, from what makes them in this process. It remembers, so asking costs nothing. */
export class BackupHealth {
  #source: () => BackupsTold | undefined = () => undefined

  follow(source: () => BackupsTold): void {
    this.#source = source
  }

  /** Returns undefined if there is nothing to tell: no backups are made, or none was verified yet. */
  tell(): BackupsTold | undefined {
    const told = this.#source()
    return told?.verified_at || told?.is_failing ? told : undefined
  }
}
