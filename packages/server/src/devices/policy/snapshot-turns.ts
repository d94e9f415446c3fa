import { Alarm } from '../../flow/alarm.ts'
import { Slots } from '../../flow/slots.ts'
import { pause, type Timers } from '../../flow/timers.ts'

/** Milliseconds that a device may leave a frame untaken: while another waits for its place, and at all. */
const longestStallAmongOthers = 15_000
const longestStall = 120_000
const checkGap = 1000

const never = new AbortController().signal

export interface SnapshotTurn {
  /** Reads the next part, in turn with all others that read. */
  read<T>(work: () => Promise<T>): Promise<T>
  /** Waits for the device to take a frame; false when it does not. */
  taken(sent: Promise<boolean>): Promise<boolean>
}

/**
 * Who may send snapshots. A place is held from the first frame to the last: it bounds what waits in memory until devices take it.
 * The database is read in turns that end before a device is waited for, so one that stalls holds up nobody's reading; and one
 * that takes nothing gives up its place to others. Places and reads are given to organizations in turn.
 */
export class SnapshotTurns {
  readonly #timers: Timers
  readonly #stall: number
  readonly #places = new Slots(64, 16)
  readonly #reads = new Slots(4, 2)

  constructor(timers: Timers, stall = longestStallAmongOthers) {
    this.#timers = timers
    this.#stall = stall
  }

  pass<T>(organizationId: string, send: (turn: SnapshotTurn) => Promise<T>): Promise<T> {
    const turn: SnapshotTurn = {
      read: work => this.#reads.pass(organizationId, work),
      taken: sent => this.#taken(organizationId, sent),
    }
    return this.#places.pass(organizationId, () => send(turn))
  }

  async #taken(organizationId: string, sent: Promise<boolean>): Promise<boolean> {
    let taken: boolean | undefined
    const settled = new Alarm()
    void sent.then(value => {
      taken = value
      settled.ring()
    })
    const begin = this.#timers.elapsed()
    while (taken === undefined) {
      await pause(this.#timers, Math.min(checkGap, this.#stall), never, settled.next())
      if (taken === undefined && this.#timers.elapsed() - begin >= this.#patience(organizationId))
        return false
    }
    return taken
  }

  #patience(organizationId: string): number {
    return this.#places.isWaitedFor(organizationId) ? this.#stall : longestStall
  }
}
