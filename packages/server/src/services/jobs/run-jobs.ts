import type { JobTypeName } from '@gatehouse-access/api'
import { Slots } from '../../flow/slots.ts'
import { pause } from '../../flow/timers.ts'
import type { Context } from '../objects/context.ts'
import { type Claimed, claimLeaderless, claimQueued } from './claim-jobs.ts'
import type { JobTypes } from './job-type.ts'
import { type InTurn, leadJob } from './lead-job.ts'

/** Milliseconds between looks for jobs. */
const gap = 250
/** How many jobs this process leads, and how many batches it runs at once. */
const mostLed = 32
const mostBatches = 4
/** Milliseconds. A batch that waited for a lock took nothing from anybody in that time. */
const longestRest = 150

/** Leads jobs in this process until disposed. */
export class JobRunner implements AsyncDisposable {
  readonly #context: Context
  readonly #types: JobTypes
  readonly #end = new AbortController()
  readonly #led = new Map<Promise<void>, Claimed>()
  /** One batch of an organization at a time, organizations in turn: a slow one delays itself only. */
  readonly #slots = new Slots(mostBatches, 1)
  /** When batches have rested for as long as they took. */
  #restUntil = 0
  readonly #looking: Promise<void>

  constructor(context: Context, types: JobTypes) {
    this.#context = context
    this.#types = types
    this.#looking = this.#look()
  }

  async #look(): Promise<void> {
    const { timers, log, recovery } = this.#context
    while (!this.#end.signal.aborted) {
      if (!recovery.is_on)
        await this.#claim().catch(error => log.error({ err: error }, 'cannot look for jobs'))
      await pause(timers, gap, this.#end.signal)
    }
  }

  async #claim(): Promise<void> {
    await this.#leadAll(types => claimLeaderless(this.#context, types, this.#room()))
    await this.#leadAll(types => claimQueued(this.#context, types, this.#room()))
  }

  async #leadAll(claim: (types: JobTypeName[]) => Promise<Claimed[]>): Promise<void> {
    const types = this.#freeTypes()
    if (types.length === 0 || this.#room() === 0) return
    for (const claimed of await claim(types)) this.#lead(claimed)
  }

  #room(): number {
    return Math.max(0, mostLed - this.#led.size)
  }

  /** Types of which this process can lead one more. */
  #freeTypes(): JobTypeName[] {
    const led = [...this.#led.values()]
    return Object.values(this.#types)
      .filter(
        ({ name, most_at_once = mostLed }) => led.filter(({ type }) => type === name).length < most_at_once,
      )
      .map(({ name }) => name)
  }

  #lead(claimed: Claimed): void {
    const led = leadJob(
      this.#context,
      claimed,
      this.#types[claimed.type],
      this.#inTurn,
      this.#end.signal,
    ).finally(() => this.#led.delete(led))
    this.#led.set(led, claimed)
  }

  readonly #inTurn: InTurn = async (organization_id, work) => {
    await this.#yield()
    return this.#slots.pass(organization_id, async () => {
      const { timers } = this.#context
      const begun = timers.elapsed()
      try {
        return await work()
      } finally {
        const taken = Math.min(timers.elapsed() - begun, longestRest)
        this.#restUntil = Math.max(timers.elapsed(), this.#restUntil) + taken
      }
    })
  }

  /** While requests come, as long as batches took nothing runs: half is left to them. */
  async #yield(): Promise<void> {
    const { traffic, timers } = this.#context
    const { signal } = this.#end
    while (traffic.isBusy() && timers.elapsed() < this.#restUntil && !signal.aborted)
      await pause(timers, Math.min(this.#restUntil - timers.elapsed(), longestRest), signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#looking
    await Promise.all(this.#led.keys())
  }
}
