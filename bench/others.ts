import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from './service.ts'
import type { Tenant } from './tenant.ts'

/** Somebody else reads sites all the time, 50 times a second. */
export class Others {
  #times: number[] = []
  #isStopped = false
  readonly #running: Promise<void>

  constructor(service: Service, tenant: Tenant) {
    this.#running = this.#run(service, tenant)
  }

  /** Returns how long requests took since the last call, in milliseconds. */
  take(): number[] {
    const taken = this.#times
    this.#times = []
    return taken
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  async #run(service: Service, tenant: Tenant): Promise<void> {
    while (!this.#isStopped) {
      const begun = performance.now()
      const answer = await fetch(`${service.url}/v2/sites`, { headers: await tenant.headers() })
      await answer.text()
      this.#times.push(performance.now() - begun)
      await sleep(20)
    }
  }
}
