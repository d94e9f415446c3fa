import type { JobTypeName } from '@gatehouse-access/api'
import { Slots } from '../../flow/slots.ts'
import { pause } from '../../flow/timers.ts'
import { holdYoungGeneration } from '../../flow/young-generation.ts'
import type { Context } from '../objects/context.ts'
import { type Claimed, claimLeaderless, claimQueued, type Room } from './claim-jobs.ts'
import type { JobTypes } from './job-type.ts'
import { type InTurn, leadJob } from './lead-job.ts'

/** Milliseconds between looks for jobs. */
const gap = 250
/** How many jobs this process leads, and how many batches it runs at once. */
const mostLed = 32
const mostBatches = 4
/** Milliseconds. A batch that waited for a lock took nothing from anybody in that time. */
const longestRest = 150
/** While requests come, nothing runs for so many times as long as batches took. Longer rests hardly help others. */
const restFor = 2.5

/** Leads jobs in this process until disposed. */
export class JobRunner implements AsyncDisposable {
  readonly #context: Context
  readonly #types: JobTypes
  readonly #end = new AbortController()
  readonly #led = new Map<Promise<void>, Claimed>()
  /** One batch of an organization at a time, organizations in turn: a slow one delays itself only. */
  readonly #slots = new Slots(mostBatches, 1)
  /** When batches have rested enough. */
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
    const led = () => [...this.#led.values()].map(({ id }) => id)
    await this.#leadAll(room => claimLeaderless(this.#context, room, led()))
    await this.#leadAll(room => claimQueued(this.#context, room))
  }

  async #leadAll(claim: (room: Room) => Promise<Claimed[]>): Promise<void> {
    const types = Object.values(this.#types)
    const plain = types.filter(({ most_at_once }) => most_at_once === undefined).map(({ name }) => name)
    for (const claimed of await this.#within(plain, mostLed, claim)) this.#lead(claimed)
    for (const { name, most_at_once } of types)
      if (most_at_once !== undefined)
        for (const claimed of await this.#within([name], most_at_once, claim)) this.#lead(claimed)
  }

  /** Claims jobs of these types, of which this process leads so many at most. */
  async #within(
    types: readonly JobTypeName[],
    mostOfThem: number,
    claim: (room: Room) => Promise<Claimed[]>,
  ): Promise<Claimed[]> {
    const own = [...this.#led.values()].filter(({ type }) => types.includes(type)).length
    const most = Math.min(mostOfThem - own, mostLed - this.#led.size)
    return types.length === 0 || most <= 0 ? [] : claim({ types, most, is_scarce: mostOfThem < mostLed })
  }

  #lead(claimed: Claimed): void {
    const led = this.#leadHeld(claimed).finally(() => this.#led.delete(led))
    this.#led.set(led, claimed)
  }

  async #leadHeld(claimed: Claimed): Promise<void> {
    using _ = holdYoungGeneration()
    await leadJob(this.#context, claimed, this.#types[claimed.type], this.#inTurn, this.#end.signal)
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
        this.#restUntil = Math.max(timers.elapsed(), this.#restUntil) + restFor * taken
      }
    })
  }

  async #yield(): Promise<void> {
    const { traffic, timers } = this.#context
    const { signal } = this.#end
    const left = () => this.#restUntil - timers.elapsed()
    for (let rest = left(); rest > 0 && traffic.isSteady() && !signal.aborted; rest = left())
      await pause(timers, Math.min(rest, longestRest), signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#looking
    await Promise.all(this.#led.keys())
  }
}
