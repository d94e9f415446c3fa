import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { InstanceAlarms } from '../operator/instance-alarms.ts'
import { type Certificate, daysLeft, renewalOf } from './certificate.ts'

/** Days before the end at which an alarm is raised. */
const thresholds = [1, 3, 7, 14]

interface Needs {
  readonly log: Pick<Logger, 'error'>
  readonly alarms: Pick<InstanceAlarms, 'raise' | 'end'>
  /** The name that all processes share the certificate of. Otherwise it is that of this machine. */
  readonly name?: string | undefined
}

/** Raises `certificate_expiring` once for each threshold while a certificate that is due is not replaced. */
export class ExpiryWatch {
  readonly #needs: Needs
  #about = ''
  #said = Number.POSITIVE_INFINITY

  constructor(needs: Needs) {
    this.#needs = needs
  }

  look(certificate: Certificate, now: number): void {
    if (certificate.fingerprint !== this.#about) this.#said = Number.POSITIVE_INFINITY
    this.#about = certificate.fingerprint
    const { alarms, log, name = hostname() } = this.#needs
    const condition = { type: 'certificate_expiring', reason: 'not_renewed', place: name } as const
    const reached = thresholdOf(certificate, now)
    if (reached === undefined) {
      alarms.end(condition)
      return
    }
    const days_left = Math.floor(daysLeft(certificate, now))
    const message = `the certificate ${endsIn(days_left)} and was not renewed`
    alarms.raise({ ...condition, message, stage: String(reached) })
    if (reached >= this.#said) return
    this.#said = reached
    log.error({ alarm: 'certificate_expiring', days_left }, message)
  }
}

function endsIn(days: number): string {
  if (days < 0) return 'has ended'
  return days === 0 ? 'ends within a day' : `ends in ${days} ${days === 1 ? 'day' : 'days'}`
}

/** Returns the smallest threshold that is reached; undefined while there is no need to worry. */
export function thresholdOf(certificate: Certificate, now: number): number | undefined {
  if (now < renewalOf(certificate)) return undefined
  const left = daysLeft(certificate, now)
  return thresholds.find(days => left <= days)
}
