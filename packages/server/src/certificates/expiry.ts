import type { Logger } from 'pino'
import { type Certificate, daysLeft, renewalOf } from './certificate.ts'

/** Days before the end at which an alarm is raised. */
const thresholds = [1, 3, 7, 14]

/** Raises `certificate_expiring` once for each threshold while a certificate that is due is not replaced. */
export class ExpiryWatch {
  readonly #log: Pick<Logger, 'error'>
  #about = ''
  #said = Number.POSITIVE_INFINITY

  constructor(log: Pick<Logger, 'error'>) {
    this.#log = log
  }

  look(certificate: Certificate, now: number): void {
    if (certificate.fingerprint !== this.#about) this.#said = Number.POSITIVE_INFINITY
    this.#about = certificate.fingerprint
    const reached = thresholdOf(certificate, now)
    if (reached === undefined || reached >= this.#said) return
    this.#said = reached
    const days_left = Math.floor(daysLeft(certificate, now))
    this.#log.error(
      { alarm: 'certificate_expiring', days_left },
      `the certificate ends in ${days_left} days and was not renewed`,
    )
  }
}

/** Returns the smallest threshold that is reached; undefined while there is no need to worry. */
export function thresholdOf(certificate: Certificate, now: number): number | undefined {
  if (now < renewalOf(certificate)) return undefined
  const left = daysLeft(certificate, now)
  return thresholds.find(days => left <= days)
}
