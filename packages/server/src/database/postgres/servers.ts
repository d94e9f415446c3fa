import { type Candidate, choose, isOutdone, mayUse, nameOf, refusalOf } from './candidates.ts'
import type { Connection, Standing } from './connection.ts'
import { dial } from './dial.ts'
import type { Address, Places, SessionAttributes } from './login/address.ts'
import { Lookouts } from './lookouts.ts'
import { gatherSoon } from './survey.ts'
import { ConnectionError } from './wire/errors.ts'

export interface DialLimits {
  /** Milliseconds within which a server must be ready for statements. */
  readonly connect_timeout: number
  /** Milliseconds, set in PostgreSQL. 0 means no timeout. */
  readonly statement_timeout: number
  readonly most_prepared: number
}

/**
 * The servers that a URL names, of which one is used at a time, by every pool that shares this object.
 *
 *   unknown ── ask all at once, take the best ──▶ current ── unreachable, demoted or outdone ──▶ unknown
 *
 * Invariant: whoever writes never goes back to an earlier timeline of a cluster. After a failover, the former
 * primary may still answer, and would accept writes that are lost when it follows the new one. So as soon as
 * a primary with a higher timeline is seen, all connections to other servers are closed. While several hosts
 * are named, those not in use are watched for that.
 */
export class Servers implements Disposable {
  readonly #places: Places
  readonly #attributes: SessionAttributes
  readonly #isPooled: boolean
  readonly #opened = new Set<Connection>()
  readonly #lookouts: Lookouts | undefined
  #current: Address | undefined
  #highest: Standing | undefined
  #finding: Promise<Address> | undefined

  constructor(places: Places, attributes: SessionAttributes, isPooled = false) {
    this.#places = places
    this.#attributes = attributes
    this.#isPooled = isPooled
    if (this.#writes && this.#isSeveral)
      this.#lookouts = new Lookouts(places.addresses, (address, standing) => this.#see(address, standing))
  }

  get #isSeveral(): boolean {
    return this.#places.addresses.length > 1
  }

  get #writes(): boolean {
    return this.#attributes === 'read-write' || this.#attributes === 'primary'
  }

  /** Opens a connection to the current server, or finds one first. Throws a ConnectionError for any failure. */
  async dial(limits: DialLimits): Promise<Connection> {
    const address = this.#current ?? (await this.#find(limits))
    try {
      return this.#keep(await this.#open(address, limits))
    } catch (error) {
      this.#forget(address)
      throw error
    }
  }

  [Symbol.dispose](): void {
    this.#lookouts?.[Symbol.dispose]()
  }

  /** Shared by all that need a server at the same time. */
  #find(limits: DialLimits): Promise<Address> {
    const [only] = this.#places.addresses
    if (!this.#isSeveral && only) return Promise.resolve(only)
    this.#finding ??= this.#survey(limits).finally(() => {
      this.#finding = undefined
    })
    return this.#finding
  }

  async #survey(limits: DialLimits): Promise<Address> {
    const asked = this.#places.addresses.map(address => this.#ask(address, limits))
    const candidates = await gatherSoon(asked, candidate => this.#refusal(candidate) === undefined)
    const explained = candidates.map(candidate => this.#judge(candidate))
    const best = choose(
      explained.filter(({ error }) => !error),
      this.#attributes,
    )
    if (!best?.standing) throw refusalOf(explained)
    this.#use(best.address, best.standing)
    return best.address
  }

  async #ask(address: Address, limits: DialLimits): Promise<Candidate> {
    try {
      const connection = await this.#open(address, limits)
      connection.end()
      return { address, standing: connection.standing }
    } catch (error) {
      return { address, error: error as ConnectionError }
    }
  }

  #open(address: Address, limits: DialLimits): Promise<Connection> {
    return dial({ ...limits, address, is_pooled: this.#isPooled, asks_timeline: this.#isSeveral })
  }

  /** Returns why a server cannot be used. */
  #refusal({ standing, error }: Candidate): ConnectionError | undefined {
    if (!standing) return error
    if (this.#writes && isOutdone(standing, this.#highest)) return formerPrimary()
    return mayUse(standing, this.#attributes) ? undefined : unsuitable(this.#attributes)
  }

  /** Leaves a server that says that it cannot be used. */
  #judge(candidate: Candidate): Candidate {
    const error = this.#refusal(candidate)
    if (error && candidate.standing) this.#leave(candidate.address, error)
    return { ...candidate, error }
  }

  #keep(connection: Connection): Connection {
    const { address, standing } = connection
    const { error } = this.#judge({ address, standing })
    if (error) {
      connection.end()
      throw error
    }
    for (const known of this.#opened) if (known.isLost) this.#opened.delete(known)
    this.#opened.add(connection)
    if (this.#writes) connection.onReadOnly = () => this.#leave(address, unsuitable(this.#attributes))
    this.#use(address, standing as Standing)
    return connection
  }

  /**
   * Moves to a server, and closes what is open to others. A primary that is used for want of a standby is not
   * remembered, so that the next connection looks for one again.
   */
  #use(address: Address, standing: Standing): void {
    const isMakeshift = this.#attributes === 'prefer-standby' && !standing.is_standby
    this.#current = isMakeshift ? undefined : address
    if (this.#writes) this.#highest = standing
    this.#lookouts?.watchAllBut(address)
    this.#close(outdone(address), opened => opened !== address)
  }

  #see(address: Address, standing: Standing): void {
    const isNewer = this.#highest && isOutdone(this.#highest, standing)
    if (isNewer && mayUse(standing, this.#attributes)) this.#use(address, standing)
  }

  /** If one connection finds that a server cannot be used, all others to it are closed too. */
  #leave(address: Address, error: ConnectionError): void {
    this.#forget(address)
    this.#close(error, opened => opened === address)
  }

  #forget(address: Address): void {
    if (this.#current === address) this.#current = undefined
  }

  #close(error: ConnectionError, isMeant: (address: Address) => boolean): void {
    for (const connection of [...this.#opened])
      if (isMeant(connection.address) && this.#opened.delete(connection)) connection.lose(error)
  }
}

function outdone(address: Address): ConnectionError {
  return new ConnectionError('MOVED', `${nameOf(address)} has become the primary of the database`)
}

function formerPrimary(): ConnectionError {
  return new ConnectionError(
    'READ_ONLY',
    'the database was replaced by another primary, and does not know it yet',
  )
}

function unsuitable(attributes: SessionAttributes): ConnectionError {
  return attributes === 'standby' || attributes === 'read-only'
    ? new ConnectionError('NOT_STANDBY', `the database is not what ${attributes} asks for`)
    : new ConnectionError('READ_ONLY', 'the database accepts no writes: it is a replica, or set to read-only')
}
