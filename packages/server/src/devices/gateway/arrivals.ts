import { Slots } from '../../flow/slots.ts'

/**
 * What devices do to the database by coming, going and telling of themselves, a few at a time and in turn by organization.
 * After a restart or an outage thousands do so at once; each waits here without a connection to the database, of which the
 * requests of everybody else find enough.
 */
export class Arrivals {
  /** A transaction holds a connection, a read shares one. */
  readonly #transactions = new Slots(4, 3)
  readonly #reads = new Slots(16, 8)

  change<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    return this.#transactions.pass(organizationId, work)
  }

  read<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    return this.#reads.pass(organizationId, work)
  }
}
