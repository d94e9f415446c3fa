import type { Logger } from 'pino'

/** What the service itself found wrong with the audit chain, for the log, the metrics and `/readyz`. */
export class AuditWatch {
  readonly #log: Pick<Logger, 'error' | 'info'>
  #alarm: string | undefined
  /** The last checkpoint that each folder has, as far as this process knows. */
  readonly kept = new Map<string, number>()

  constructor(log: Pick<Logger, 'error' | 'info'>) {
    this.#log = log
  }

  /** A sentence; undefined while nothing is wrong. */
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

/** Found before something was signed; the message is a sentence. */
export class Tampering extends Error {
  override name = 'Tampering'
}
