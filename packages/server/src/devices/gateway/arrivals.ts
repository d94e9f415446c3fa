import { Slots } from '../../flow/slots.ts'

/**
 * Limits concurrent database work for device arrivals, departures and status reports, in turn by
 * organization. After a restart or an outage thousands of devices reconnect at once. They queue here without
 * a database connection, which leaves enough for other requests.
 */
export class Arrivals {
  /** A transaction holds a connection; reads share one. */
  readonly #transactions = new Slots(4, 3)
  readonly #reads = new Slots(16, 8)

  change<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    return this.#transactions.pass(organizationId, work)
  }

  read<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    return this.#reads.pass(organizationId, work)
  }
}
