import type { Connect, ConnectionHandlers } from '@gatehouse-access/edge'
import type { Chance } from '@gatehouse-access/testkit'
import type { SimulatedTime } from './time.ts'

/** The far end of a connection, as the service sees it. */
export interface Peer {
  /** False once its process has died. */
  readonly isThere: boolean
  receive(text: string): void
  closed(): void
}

export interface FarEnd {
  send(text: string): void
  close(code: number): void
}

/** Returns undefined if no process answers, or if the connection is rejected. */
export type Accept = (far: FarEnd) => Promise<Peer | undefined>

interface Wire {
  isOpen: boolean
  isWhole: boolean
  peer: Peer | undefined
}

const mostRepeated = 3

/**
 * The network between one edge and the service. It can be cut without either side noticing. Frames take time,
 * and in bad weather some arrive twice, late, or out of order. Commands may even arrive again on a later
 * connection: no service sends them twice, but a device must tolerate it.
 */
export class Network {
  readonly #time: SimulatedTime
  readonly #chance: Chance
  readonly #accept: Accept
  readonly #wires = new Set<Wire>()
  #commands: string[] = []
  #isCut = false
  #stalledUntil = 0
  #newest: Wire | undefined
  /** When the service last heard from the edge. */
  heardAt = 0
  /** The probability that a frame is duplicated or reordered. */
  weather = 0

  constructor(time: SimulatedTime, chance: Chance, accept: Accept) {
    this.#time = time
    this.#chance = chance
    this.#accept = accept
  }

  /** Returns whether both ends can hear each other, which neither can know for certain. */
  get isConnected(): boolean {
    const { isOpen, isWhole, peer } = this.#newest ?? {}
    return isOpen === true && isWhole === true && peer?.isThere === true
  }

  /**
   * Cuts the network. Open connections stay dead after the repair, because a stream never continues with a
   * gap.
   */
  cut(): void {
    this.#isCut = true
    for (const wire of this.#wires) wire.isWhole = false
    this.#wires.clear()
  }

  mend(): void {
    this.#isCut = false
    this.#stalledUntil = 0
  }

  /**
   * Delays everything sent meanwhile and delivers it afterwards in order, as a stream does after a temporary
   * outage.
   */
  stall(seconds: number): void {
    this.#stalledUntil = this.#time.now + seconds * 1e6
  }

  /** Connects one life of an edge. Nothing reaches it after it has ended. */
  connector(isAlive: () => boolean): Connect {
    return handlers => this.#open(handlers, isAlive)
  }

  #open(handlers: ConnectionHandlers, isAlive: () => boolean) {
    const wire: Wire = { isOpen: true, isWhole: true, peer: undefined }
    this.#newest = wire
    const endNear = (code: number) => {
      if (!wire.isOpen) return
      wire.isOpen = false
      if (isAlive()) handlers.close(code, '')
    }
    const toNear = this.#lane(text => wire.isWhole && wire.isOpen && isAlive() && handlers.message(text))
    const toFar = this.#lane(text => {
      if (!wire.isWhole || !wire.peer) return
      this.heardAt = this.#time.now
      wire.peer.receive(text)
    })
    const far: FarEnd = {
      send: text => {
        this.#remember(text)
        toNear(text)
      },
      close: code => {
        this.#time.later(this.#chance.between(60, 120), () => wire.isWhole && endNear(code))
      },
    }
    const arrive = async () => {
      if (!wire.isOpen || !isAlive()) return
      if (this.#isCut) return endNear(1006)
      this.#wires.add(wire)
      wire.peer = await this.#accept(far)
      if (!wire.peer) return endNear(1006)
      if (!wire.isOpen || !wire.isWhole || !isAlive()) return
      handlers.open()
      this.#repeatCommands(toNear)
    }
    this.#time.later(this.#chance.between(1, 60), () => void arrive())
    return {
      send: (text: string) => void (wire.isOpen && toFar(text)),
      hold: () => {},
      close: () => {
        wire.isOpen = false
        this.#time.later(this.#chance.between(60, 120), () => void (wire.isWhole && wire.peer?.closed()))
      },
    }
  }

  /** Delivers in order, unless the weather is bad. */
  #lane(deliver: (text: string) => unknown): (text: string) => void {
    let last = 0
    return text => {
      const arrive = (at: number) =>
        this.#time.later(Math.max(0, at - this.#time.now) / 1000, () => void deliver(text))
      const isStray = this.#chance.happens(this.weather) && !isState(text)
      const begin = Math.max(this.#time.now, this.#stalledUntil)
      const at = begin + this.#chance.between(1, isStray ? 3000 : 60) * 1000
      if (!isStray) last = Math.max(last, at)
      arrive(isStray ? at : last)
      if (this.#chance.happens(this.weather) && !isState(text))
        arrive(begin + this.#chance.between(1, 3000) * 1000)
    }
  }

  #remember(text: string): void {
    if (text.startsWith('{"type":"command"')) this.#commands = [...this.#commands, text].slice(-mostRepeated)
  }

  #repeatCommands(send: (text: string) => void): void {
    if (this.#chance.happens(this.weather)) for (const text of this.#commands) send(text)
  }
}

/** The last report of a door counts, and it has no number: it relies on the order that a stream keeps. */
function isState(text: string): boolean {
  return text.startsWith('{"type":"doors"')
}
