import type { Connection, Standing } from './connection.ts'
import { askStanding, dial } from './dial.ts'
import type { Address } from './login/address.ts'
import { closed } from './wire/errors.ts'

/** Milliseconds between two looks, and within which a server must answer. */
const gap = 1000
const patience = 3000

type See = (address: Address, standing: Standing) => void

/**
 * Watches the servers that are not in use, over one connection each. Without it, a service that is connected
 * to a former primary would not notice that there is another one.
 */
export class Lookouts implements Disposable {
  readonly #addresses: readonly Address[]
  readonly #see: See
  readonly #connections = new Map<Address, Connection>()
  readonly #busy = new Set<Address>()
  #used: Address | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(addresses: readonly Address[], see: See) {
    this.#addresses = addresses
    this.#see = see
  }

  watchAllBut(used: Address): void {
    this.#used = used
    this.#timer ??= setInterval(() => this.#lookAround(), gap).unref()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    for (const connection of this.#connections.values()) connection.end()
    this.#connections.clear()
    this.#timer = undefined
  }

  #lookAround(): void {
    for (const address of this.#addresses)
      if (address !== this.#used && !this.#busy.has(address)) void this.#look(address)
  }

  async #look(address: Address): Promise<void> {
    this.#busy.add(address)
    try {
      const standing = await this.#ask(address)
      if (this.#timer && address !== this.#used) this.#see(address, standing)
    } catch {
      // A server that is down is no primary. It is asked again.
    } finally {
      this.#busy.delete(address)
    }
  }

  async #ask(address: Address): Promise<Standing> {
    const connection = await this.#reach(address)
    const late = setTimeout(() => connection.lose(closed('it does not answer')), patience).unref()
    return askStanding(connection).finally(() => clearTimeout(late))
  }

  async #reach(address: Address): Promise<Connection> {
    const known = this.#connections.get(address)
    if (known && !known.isLost) return known
    const connection = await dial({ address, ...limits })
    if (this.#timer) this.#connections.set(address, connection)
    else connection.end()
    return connection
  }
}

const limits = { connect_timeout: patience, statement_timeout: patience, most_prepared: 1 }
