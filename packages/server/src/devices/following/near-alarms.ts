import { addSeconds, toMicroseconds } from '@gatehouse-access/core'
import type { Logger } from 'pino'
import type { StoredEvent } from '../../events/feed-event.ts'
import type { Timers } from '../../flow/timers.ts'
import type { VirtualContext } from '../virtual/context.ts'
import type { DeviceKey } from '../virtual/state.ts'

/** Seconds. What is due later is found by the job that looks at virtual doors once a second. */
const near = 5

interface NearContext extends Pick<VirtualContext, 'db' | 'clock'> {
  readonly timers: Timers
  readonly log: Logger
}

interface Due extends DeviceKey {
  readonly turns_at: string
}

/**
 * Wakes virtual devices at the millisecond at which one of their doors was forced, after its contact was heard of.
 * Nothing is lost with the process: that job catches up.
 */
export class NearAlarms implements AsyncDisposable {
  readonly #context: NearContext
  readonly #wake: (device: DeviceKey) => Promise<void>
  readonly #waiting = new Map<string, () => void>()
  readonly #ringing = new Set<Promise<void>>()
  #isClosed = false

  constructor(context: NearContext, wake: (device: DeviceKey) => Promise<void>) {
    this.#context = context
    this.#wake = wake
  }

  /** Returns once everything that is near has its timer. */
  async follow(events: readonly StoredEvent[]): Promise<void> {
    const places = new Map(events.flatMap(deviceOf).map(place => [place.device_id, place]))
    if (places.size > 0) await this.#look([...places.values()])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    for (const cancel of this.#waiting.values()) cancel()
    await Promise.all(this.#ringing)
  }

  /** `after`: what was due until then has been seen to. */
  async #look(places: readonly DeviceKey[], after = ''): Promise<void> {
    const { clock, db } = this.#context
    const due = await db.query<Due & object>(
      `SELECT organization_id, device_id, turns_at FROM virtual_devices
       WHERE (organization_id, device_id) IN (SELECT * FROM unnest($1::text[], $2::text[])) AND turns_at <= $3`,
      [
        places.map(({ organization_id }) => organization_id),
        places.map(({ device_id }) => device_id),
        addSeconds(clock.now(), near),
      ],
    )
    if (this.#isClosed) return
    for (const one of due) if (one.turns_at > after) this.#wakeLater(one)
  }

  #wakeLater({ turns_at, ...device }: Due): void {
    const { clock, timers } = this.#context
    const wait = (toMicroseconds(turns_at) - toMicroseconds(clock.now())) / 1000
    this.#waiting.get(device.device_id)?.()
    const cancel = timers.later(Math.max(0, Math.ceil(wait)), () => {
      const ringing = this.#ring(device, turns_at).finally(() => this.#ringing.delete(ringing))
      this.#ringing.add(ringing)
    })
    this.#waiting.set(device.device_id, cancel)
  }

  /** Another of its doors may be next. */
  async #ring(device: DeviceKey, turnsAt: string): Promise<void> {
    this.#waiting.delete(device.device_id)
    try {
      await this.#wake(device)
      if (!this.#isClosed) await this.#look([device], turnsAt)
    } catch (error) {
      this.#context.log.warn({ err: error }, 'a virtual door is looked at later')
    }
  }
}

/** What moved a contact may be an alarm in a moment. */
function deviceOf({ object, organization_id }: StoredEvent): DeviceKey[] {
  const { device_id } = object
  return object.type === 'gadget_state' && device_id ? [{ organization_id, device_id }] : []
}
