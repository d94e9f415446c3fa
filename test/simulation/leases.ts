import { toMicroseconds } from '@gatehouse-access/core'
import type { SimulatedEdge } from './edge.ts'
import type { SimulatedService } from './service.ts'
import type { SimulatedTime } from './time.ts'

/** Microseconds: the clock of a controller may differ by two seconds, and it looks at its doors once a second. */
const patience = 5e6

interface Overdue {
  readonly life: number
  readonly since: number
}

/**
 * Finds emergencies that are in force although their lease has run out. A controller that does not know the time
 * goes on with them, and one that has just started needs a moment.
 */
export class Leases {
  readonly #service: SimulatedService
  readonly #time: SimulatedTime
  readonly #overdue = new Map<SimulatedEdge, Overdue>()

  constructor(service: SimulatedService, time: SimulatedTime) {
    this.#service = service
    this.#time = time
  }

  check(edges: readonly SimulatedEdge[]): string[] {
    const { now } = this.#time
    return edges.flatMap(edge => {
      const life = edge.crashes
      if (!this.#isOverdue(edge)) this.#overdue.delete(edge)
      else if (this.#overdue.get(edge)?.life !== life) this.#overdue.set(edge, { life, since: now })
      const since = this.#overdue.get(edge)?.since ?? now
      const { hardware_id } = edge.door
      return now - since > patience ? [`${hardware_id} goes on with an emergency after its lease`] : []
    })
  }

  /** By what is in force at the door. Its journal has no event when one emergency follows another in the same mode. */
  #isOverdue({ agent, door, isAlive }: SimulatedEdge): boolean {
    if (!isAlive || !agent.clock.now().is_sure) return false
    const ids = agent.devices.flatMap(
      ({ station }) => station.doors.memory.driven[door.gadget_id]?.emergency_ids ?? [],
    )
    return ids.length > 0 && ids.every(id => this.#endOf(id) < this.#time.now - patience)
  }

  #endOf(id: string): number {
    for (let state = this.#service.newest; state >= 0; state--) {
      const held = this.#service.stateAt(state).emergencies.find(row => row.id === id)?.held_until
      if (held) return toMicroseconds(held)
    }
    return Number.POSITIVE_INFINITY
  }
}
