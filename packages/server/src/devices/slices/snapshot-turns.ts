import { Alarm } from '../../flow/alarm.ts'
import { Slots } from '../../flow/slots.ts'
import { pause, type Timers } from '../../flow/timers.ts'

/** Milliseconds that a device may leave a frame unread: while others wait for its slot, and in any case. */
const longestStallAmongOthers = 15_000
const longestStall = 120_000
const checkGap = 1000

const never = new AbortController().signal

export interface SnapshotTurn {
  /** Reads the next part in one of the shared read slots. */
  read<T>(work: () => Promise<T>): Promise<T>
  /** Waits for the device to read a frame. Returns false if it stalls or disconnects. */
  taken(sent: Promise<boolean>): Promise<boolean>
}

/**
 * Limits concurrent snapshots. A slot is held from the first frame to the last and bounds the memory of
 * unread frames. Database reads have separate slots, released before waiting for the device, so a stalled
 * device blocks no reads. A device that reads nothing loses its slot to others. Organizations take turns for
 * both kinds of slots.
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
