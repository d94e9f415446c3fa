import { Slots } from '../../flow/slots.ts'
import { pause, type Timers } from '../../flow/timers.ts'
import type { Traffic } from '../../flow/traffic.ts'
import type { Arrivals } from './arrivals.ts'
import { depart, type Held, type PresenceContext } from './presence.ts'

interface DeparturesContext extends PresenceContext {
  readonly arrivals: Pick<Arrivals, 'change'>
  readonly push: { flushApplied(): Promise<void> }
  readonly timers: Timers
  readonly traffic: Pick<Traffic, 'isBusy'>
}

interface Waiting {
  readonly held: Held
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** How many leave in one transaction. */
const most = 20
/** Milliseconds. On a busy machine everything takes longer, and the devices must not seem online for minutes. */
const longestRest = 30

/**
 * Records that devices have left. Those of one organization leave together, one transaction after another. When
 * an uplink fails, thousands leave at once and nobody waits for it: so while requests arrive, each transaction is
 * followed by a rest up to three times as long. Devices that come back do not wait for those that leave.
 */
export class Departures {
  readonly #context: DeparturesContext
  /** By organization. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #turns = new Slots(2, 1)

  constructor(context: DeparturesContext) {
    this.#context = context
  }

  /** Resolves once the departure is stored. If that fails, the next sweep does it. */
  leave(held: Held): Promise<void> {
    const { organization_id } = held
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const others = this.#waiting.get(organization_id)
    if (others) others.push({ held, resolve, reject })
    else {
      this.#waiting.set(organization_id, [{ held, resolve, reject }])
      void this.#leaveAll(organization_id)
    }
    return promise
  }

  async #leaveAll(organizationId: string): Promise<void> {
    const waiting = this.#waiting.get(organizationId) ?? []
    while (waiting.length > 0)
      await this.#turns.pass(organizationId, () => this.#leaveTogether(organizationId, waiting))
    this.#waiting.delete(organizationId)
  }

  async #leaveTogether(organizationId: string, waiting: Waiting[]): Promise<void> {
    const { arrivals, push, timers, traffic } = this.#context
    const begun = timers.elapsed()
    await arrivals.change(organizationId, async () => {
      const leaving = waiting.splice(0, most)
      try {
        await push.flushApplied()
        const all = leaving.map(({ held }) => held)
        await depart(this.#context, organizationId, all)
        for (const { resolve } of leaving) resolve()
      } catch (error) {
        for (const { reject } of leaving) reject(error)
      }
    })
    const worked = timers.elapsed() - begun
    if (waiting.length > 0 && traffic.isBusy()) await pause(timers, Math.min(longestRest, 3 * worked))
  }
}
