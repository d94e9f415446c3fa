import type { Logger } from 'pino'

/** Holds the fault that the service found in the audit chain, for the log, the metrics and `/readyz`. */
export class AuditWatch {
  readonly #log: Pick<Logger, 'error' | 'info'>
  #alarm: string | undefined
  /** The last checkpoint in each folder, as far as this process knows. */
  readonly kept = new Map<string, number>()

  constructor(log: Pick<Logger, 'error' | 'info'>) {
    this.#log = log
  }

  /** A sentence that describes the fault. Undefined while there is none. */
  get alarm(): string | undefined {
    return this.#alarm
  }

  raise(alarm: string): void {
    if (alarm !== this.#alarm)
      this.#log.error(
        { alarm },
        'the audit chain was tampered with: no checkpoint is signed until this is resolved',
      )
    this.#alarm = alarm
  }

  calm(): void {
    if (this.#alarm !== undefined) this.#log.info('the audit chain is intact again')
    this.#alarm = undefined
  }
}

/** Thrown when a check before signing finds tampering. The message is a full sentence. */
export class Tampering extends Error {
  override name = 'Tampering'
}
