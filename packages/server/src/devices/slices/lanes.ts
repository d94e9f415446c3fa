import type { Moment } from '../../database/moment.ts'
import { Semaphore } from '../../flow/semaphore.ts'
import { SerialQueue } from '../../flow/serial-queue.ts'
import { type Changes, noneChanged } from '../policy/changes.ts'
import type { LiveSlice } from './live-slice.ts'
import type { LiveOrganization } from './organization.ts'

/** Organizations that have a turn at once. Each uses about one connection to the database. */
const atOnce = 4

/** What is done for the devices of one organization, one turn after another, so that no slice misses a change. */
export interface Lane {
  readonly organization_id: string
  readonly queue: SerialQueue
  /** Turns that are taken or waited for. The lane stays meanwhile, so that changes are found for it. */
  turns: number
  /** Undefined until somebody needs it, and after a failure, when it may be half read. */
  organization: LiveOrganization | undefined
  /** Everything up to this moment is in `organization`. Set with it. */
  moment: Moment | undefined
  /** What has changed since. The next turn begins with it. */
  found: Changes
  /** Whether emergencies are among it that no device has heard of. */
  is_urgent: boolean
  /** Whether the database has begun an epoch since, so that everything is read again. */
  is_anew: boolean
  /** Whether a turn is waited for that only applies what was found. */
  is_called: boolean
}

interface Beginning {
  /** Tells devices of emergencies. Waits for no other organization. */
  hurry(lane: Lane): Promise<void>
  /** Applies what was found. */
  settle(lane: Lane): Promise<void>
}

/**
 * The organizations with devices here. Each is worked for in its own turns, a few organizations at once. Since an
 * organization waits at most once, first come is also round-robin: however many of its devices come back at
 * once, a neighbour waits for one turn.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #permits = new Semaphore(atOnce)
  readonly #beginning: Beginning

  constructor(beginning: Beginning) {
    this.#beginning = beginning
  }

  get size(): number {
    return this.#lanes.size
  }

  ids(): string[] {
    return [...this.#lanes.keys()]
  }

  all(): Lane[] {
    return [...this.#lanes.values()]
  }

  of({ organization_id }: Pick<LiveSlice, 'organization_id'>): Lane | undefined {
    return this.#lanes.get(organization_id)
  }

  /** Works in a turn of the organization, with everything applied that was found before. */
  async run<T>(organizationId: string, work: (lane: Lane) => Promise<T>): Promise<T> {
    const lane = this.#enter(organizationId)
    try {
      return await lane.queue.run(() => this.#takeTurn(lane, work))
    } finally {
      lane.turns--
      this.leave(lane)
    }
  }

  /** To be called in a turn that takes long, where it can pause. */
  letOthers(): Promise<void> {
    return this.#permits.letOthers()
  }

  /** Removes the lane if nothing and nobody needs it. */
  leave(lane: Lane): void {
    if (lane.turns === 0 && !lane.organization?.slices.size) this.#lanes.delete(lane.organization_id)
  }

  async #takeTurn<T>(lane: Lane, work: (lane: Lane) => Promise<T>): Promise<T> {
    await this.#beginning.hurry(lane)
    return this.#permits.run(async () => {
      await this.#beginning.settle(lane)
      return work(lane)
    })
  }

  #enter(organization_id: string): Lane {
    const lane = this.#lanes.get(organization_id) ?? newLane(organization_id)
    this.#lanes.set(organization_id, lane)
    lane.turns++
    return lane
  }
}

function newLane(organization_id: string): Lane {
  return {
    organization_id,
    queue: new SerialQueue(),
    turns: 0,
    organization: undefined,
    moment: undefined,
    found: noneChanged(),
    is_urgent: false,
    is_anew: false,
    is_called: false,
  }
}
