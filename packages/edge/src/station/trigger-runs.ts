import type { JournalEvent } from '@gatehouse-access/api'
import {
  countTriggerRun,
  messageOf,
  noTriggerRest,
  type TriggerRest,
  type TriggerRow,
} from '@gatehouse-access/core'
import type { Driven } from '../drivers/driver.ts'
import type { Log, Platform } from '../platform.ts'
import type { EventDraft } from '../recorder.ts'

interface Needs {
  readonly platform: Pick<Platform, 'monotonic'>
  readonly log: Log
  /** Whether a lockdown keeps a trigger from running. */
  holdsBack(trigger: TriggerRow): boolean | Promise<boolean>
  drive(gadget_id: string, action_id: string): Promise<Driven>
  append(draft: EventDraft): JournalEvent
}

/** Runs the triggers of a device, each at most so often, and records what became of them. */
export class TriggerRuns {
  readonly #needs: Needs
  readonly #rests = new Map<string, TriggerRest>()
  /** Triggers of alarms that are running. */
  readonly #sounding = new Set<Promise<unknown>>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Returns the events that were recorded. */
  async fire(triggers: readonly TriggerRow[]): Promise<JournalEvent[]> {
    const runs = await Promise.all(triggers.map(trigger => this.#run(trigger)))
    return runs.filter(event => event !== null)
  }

  async #run(trigger: TriggerRow): Promise<JournalEvent | null> {
    const { id: gadget_trigger_id, target_gadget_id: gadget_id, target_action_id: action_id } = trigger
    const counted = countTriggerRun(
      this.#rests.get(trigger.id) ?? noTriggerRest,
      this.#needs.platform.monotonic(),
    )
    this.#rests.set(trigger.id, counted.rest)
    if (!counted.runs) {
      this.#needs.log.error(`trigger ${trigger.id} is paused: it ran too often`)
      return null
    }
    if (await this.#needs.holdsBack(trigger)) {
      this.#needs.log.error(`trigger ${trigger.id} did not run: its door is locked down`)
      return this.#needs.append({ type: 'trigger_denial', gadget_trigger_id, gadget_id, action_id })
    }
    const driven = await this.#needs.drive(gadget_id, action_id)
    if (driven.outcome === 'done')
      return this.#needs.append({ type: 'trigger', gadget_trigger_id, gadget_id, action_id })
    this.#needs.log.error(`trigger ${trigger.id} failed: ${driven.reason}`)
    return null
  }

  /** Runs what an alarm triggers. Whoever noticed the alarm does not wait for it. */
  sound(triggers: readonly TriggerRow[]): void {
    if (triggers.length === 0) return
    const sounding = this.fire(triggers)
      .catch(error => this.#needs.log.error(`the triggers of an alarm: ${messageOf(error)}`))
      .finally(() => this.#sounding.delete(sounding))
    this.#sounding.add(sounding)
  }

  /** Resolves when all triggers of alarms have run. */
  async sounded(): Promise<void> {
    while (this.#sounding.size > 0) await Promise.all(this.#sounding)
  }
}
