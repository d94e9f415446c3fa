import type { Arrivals } from './arrivals.ts'
import { depart, type Held, type PresenceContext } from './presence.ts'

interface DeparturesContext extends PresenceContext {
  readonly arrivals: Pick<Arrivals, 'change'>
  readonly push: { flushApplied(): Promise<void> }
}

interface Waiting {
  readonly held: Held
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** How many leave in one transaction. */
const most = 50

/** Records that devices have left. Those of one organization that wait for its turn leave together. */
export class Departures {
  readonly #context: DeparturesContext
  /** By organization. */
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(context: DeparturesContext) {
    this.#context = context
  }

  /** Resolves once the departure is stored. If that fails, the next sweep does it. */
  async leave(held: Held): Promise<void> {
    const { organization_id } = held
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const others = this.#waiting.get(organization_id)
    if (others) others.push({ held, resolve, reject })
    else this.#waiting.set(organization_id, [{ held, resolve, reject }])
    await this.#context.arrivals.change(organization_id, () => this.#leaveTogether(organization_id))
    await promise
  }

  /** Does nothing for a device that has left with others before its turn. */
  async #leaveTogether(organizationId: string): Promise<void> {
    const waiting = this.#waiting.get(organizationId)
    if (!waiting) return
    const leaving = waiting.splice(0, most)
    if (waiting.length === 0) this.#waiting.delete(organizationId)
    try {
      await this.#context.push.flushApplied()
      const all = leaving.map(({ held }) => held)
      await depart(this.#context, organizationId, all)
      for (const { resolve } of leaving) resolve()
    } catch (error) {
      for (const { reject } of leaving) reject(error)
    }
  }
}
