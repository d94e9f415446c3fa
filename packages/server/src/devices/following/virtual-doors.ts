import type { Logger } from 'pino'
import { targeted } from '../../doors/targeted.ts'
import type { StoredEvent } from '../../events/feed-event.ts'
import { Slots } from '../../flow/slots.ts'
import { pause, type Timers } from '../../flow/timers.ts'
import type { VirtualContext } from '../virtual/context.ts'
import { tickVirtualDevice } from '../virtual/schedules.ts'
import type { DeviceKey } from '../virtual/state.ts'
import { NearAlarms } from './near-alarms.ts'
import { isBeginning, tellNotArrived } from './not-arrived.ts'
import { findUnsettled, type SettledContext } from './settled-doors.ts'

/** Virtual devices at once, and of one organization. */
const atOnce = 4
const ofOne = 2
/** Milliseconds after an emergency has begun. Nobody waits for a line of the log, and until then there is more to do. */
const beforeTelling = 1000

export type DoorsContext = VirtualContext &
  Pick<SettledContext, 'doors'> & { readonly log: Logger; readonly timers: Timers }

/**
 * Drives the doors of virtual devices after a change that concerns them. Nothing is lost with the process: the
 * job that lets time pass for virtual devices catches up.
 */
export class VirtualDoors implements AsyncDisposable {
  readonly #context: DoorsContext
  readonly #near: NearAlarms
  readonly #slots = new Slots(atOnce, ofOne)
  /** By device: one that waits for its turn sees the latest change. */
  readonly #waiting = new Map<string, Promise<void>>()
  #running: Promise<unknown> = Promise.resolve()
  readonly #end = new AbortController()

  constructor(context: DoorsContext) {
    this.#context = context
    this.#near = new NearAlarms(context, device => this.#tick(device))
  }

  /** `moved`: what the modes of doors may follow from. `stirred`: contacts of doors. */
  wake(moved: readonly StoredEvent[], stirred: readonly StoredEvent[] = []): void {
    if (moved.length + stirred.length === 0 || this.#end.signal.aborted) return
    const before = this.#running
    this.#running = this.#follow(moved, stirred)
      .catch(error => this.#context.log.warn({ err: error }, 'virtual doors are driven later'))
      .then(() => before)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#near[Symbol.asyncDispose]()
    await this.#running
  }

  async #follow(moved: readonly StoredEvent[], stirred: readonly StoredEvent[]): Promise<void> {
    await this.#near.follow(stirred)
    if (moved.length > 0) await this.#tell(moved)
  }

  async #tell(events: readonly StoredEvent[]): Promise<void> {
    await this.#drive(events)
    if (!events.some(isBeginning)) return
    await pause(this.#context.timers, beforeTelling, this.#end.signal)
    await tellNotArrived(this.#context, events.filter(isBeginning))
  }

  /** Organizations side by side: one with thousands of virtual devices does not keep the others waiting. */
  async #drive(events: readonly StoredEvent[]): Promise<void> {
    const own = Map.groupBy(events, event => event.organization_id)
    await Promise.all([...own].map(([id, changes]) => this.#driveOne(id, changes)))
  }

  async #driveOne(organizationId: string, events: readonly StoredEvent[]): Promise<void> {
    const concerned = await findConcerned(this.#context, organizationId, events)
    const devices = await findUnsettled(this.#context, organizationId, concerned)
    await Promise.all(devices.map(device_id => this.#tick({ organization_id: organizationId, device_id })))
  }

  #tick(device: DeviceKey): Promise<void> {
    const { organization_id, device_id } = device
    const known = this.#waiting.get(device_id)
    if (known) return known
    const waiting = this.#slots.pass(organization_id, () => {
      this.#waiting.delete(device_id)
      return this.#end.signal.aborted ? Promise.resolve() : tickVirtualDevice(this.#context, device)
    })
    this.#waiting.set(device_id, waiting)
    return waiting
  }
}

const kinds = new Set<string>(['emergency', 'emergency_plan', 'unlock_rule', 'schedule', 'site', 'gadget'])

/** Whether the modes of doors may be others after it. */
export function concernsModes({ object, verb }: StoredEvent): boolean {
  return kinds.has(object.type) && verb !== 'use' && verb !== 'reveal'
}

/** Asked once. Most organizations have none, so the rest is not looked at. */
const hasVirtual =
  '(SELECT true FROM devices WHERE organization_id = $1 AND NOT is_deleted AND hardware_id IS NULL LIMIT 1)'

/** Returns the virtual devices with doors that the changes may concern. */
async function findConcerned(
  { db }: VirtualContext,
  organization_id: string,
  events: readonly StoredEvent[],
): Promise<string[]> {
  const named = (key: string) => [
    ...new Set(events.flatMap(({ object }) => (object as Record<string, unknown>)[key] ?? [])),
  ]
  const rows = await db.query<{ device_id: string }>(
    `SELECT DISTINCT d.id AS device_id FROM gadgets g
     JOIN devices d ON d.organization_id = g.organization_id AND d.id = g.device_id AND NOT d.is_deleted AND d.hardware_id IS NULL
     WHERE g.organization_id = $1 AND NOT g.is_deleted AND g.door IS NOT NULL AND ${hasVirtual} AND (g.id = ANY($2::text[]) OR g.id IN (
       SELECT unnest(gadget_ids) FROM unlock_rules WHERE organization_id = $1 AND (id = ANY($3::text[]) OR schedule_id = ANY($4::text[]))
       UNION SELECT g.id FROM emergencies e, ${targeted} WHERE e.organization_id = $1 AND e.id = ANY($5::text[])
       UNION SELECT g.id FROM gadgets g JOIN sites s ON s.organization_id = g.organization_id AND s.id = g.site_id
         WHERE s.organization_id = $1 AND s.id = ANY($6::text[]) AND s.fire IS NOT NULL))`,
    [
      organization_id,
      named('gadget_id'),
      named('unlock_rule_id'),
      named('schedule_id'),
      named('emergency_id'),
      named('site_id'),
    ],
  )
  return rows.map(({ device_id }) => device_id)
}
