import {
  type JournalEvent,
  type Resources,
  resources,
  type SimulatedFault,
  type Simulation,
  type SliceRows,
  type StoredOf,
} from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { followStatus } from '../../alarms/sources/device-status.ts'
import type { Database } from '../../database/db.ts'
import { serviceCaller } from '../../store/caller.ts'
import { findObject } from '../../store/find.ts'
import { setDeviceStatus } from '../../store/reports.ts'
import { updateObject } from '../../store/write.ts'
import type { VirtualContext } from './context.ts'
import {
  hardwareFault,
  type ReportedDoor,
  type RunElsewhere,
  startMachine,
  type VirtualMachine,
} from './machine.ts'
import { forgetOffline, holdBack, readHeldBack, readOfflineSlice, takeAlong } from './offline-memory.ts'
import { recordDoors, recordReport } from './report.ts'
import { buildSlice } from './slice.ts'
import { type DeviceKey, faultAt, holdState, isReachable, saveState, type VirtualState } from './state.ts'

/** Seconds a fault lasts. */
const faultLength = 600

/** The slice has too many members to store for offline use. */
export class TooManyMembers extends Error {}

/**
 * A virtual device within one transaction. It runs the same controller as real hardware, on a disk stored in
 * the database: each request starts it, acts on it, and saves its memory.
 *
 * Online it has the organization's current policy. Offline it has the policy from when it went offline, and
 * buffers its events.
 */
export class VirtualDevice {
  readonly #context: VirtualContext
  readonly #db: Database
  readonly #organization: string
  readonly #id: string
  readonly #place: DeviceKey
  readonly #now: string
  #state: VirtualState

  private constructor(context: VirtualContext, db: Database, place: DeviceKey, state: VirtualState) {
    this.#context = context
    this.#db = db
    this.#organization = place.organization_id
    this.#id = place.device_id
    this.#place = { organization_id: this.#organization, device_id: this.#id }
    this.#now = context.clock.now()
    this.#state = state
  }

  /** Locks the device until the transaction ends. Clears a fault that has expired. */
  static async hold(context: VirtualContext, db: Database, place: DeviceKey): Promise<VirtualDevice> {
    const state = await holdState(db, place)
    const device = new VirtualDevice(context, db, place, state)
    if (state.fault !== null && faultAt(state, device.#now) === null) await device.setFault(null)
    return device
  }

  get is_online(): boolean {
    return isReachable(this.#state, this.#now)
  }

  async setNetwork(is_online: boolean): Promise<void> {
    await this.#change({ ...this.#state, is_online })
  }

  async setFault(fault: SimulatedFault | null): Promise<void> {
    const fault_until = fault && addSeconds(this.#now, faultLength)
    await this.#change({ ...this.#state, fault, fault_until })
    await this.#setStatus({ mains_present: fault !== 'no_power' })
  }

  /** Starts the controller, runs `happen` and records the events. `members`: those that may matter. */
  async run(
    members: readonly string[],
    happen: (machine: VirtualMachine) => Promise<unknown>,
    isTold = false,
  ): Promise<JournalEvent[]> {
    const slice = this.#state.is_away
      ? await readOfflineSlice(this.#db, this.#place)
      : await this.#readSlice(members)
    const machine = await startMachine({
      context: this.#context,
      organization_id: this.#organization,
      device_id: this.#id,
      now: this.#now,
      state: this.#state,
      slice,
      states: this.#state.states ?? (await this.#readStates()),
      faultOf: await this.#readFaults(slice),
      forward: (gadget_id, action_id) => this.#forward(gadget_id, action_id),
    })
    await machine.closeDoors()
    await machine.driveDoors()
    await machine.watchDoors()
    await happen(machine)
    await machine.driveDoors()
    await machine.watchDoors()
    const elsewhere = await machine.settle()
    const { events, state, states, doors } = await machine.finish()
    this.#state = state
    if (this.is_online) await this.#report(events, doors)
    else await this.#holdBack(events, states)
    if (!isTold) for (const run of elsewhere) await this.#tell(run)
    return events
  }

  /** Lets another virtual device show what an action did. Not propagated further, to avoid endless loops. */
  async #tell({ device_id, order }: RunElsewhere): Promise<void> {
    const place = { organization_id: this.#organization, device_id }
    const other = await VirtualDevice.hold(this.#context, this.#db, place)
    const follow = (machine: VirtualMachine) => {
      machine.station.alarms.observe(order.gadget_id, { action_id: order.action_id })
      return machine.follow(order)
    }
    await other.run([], follow, true)
    await other.save()
  }

  async save(): Promise<void> {
    await saveState(this.#db, this.#place, this.#state)
  }

  describe(events: readonly JournalEvent[]): Simulation {
    const { fault, fault_until, held_back } = this.#state
    return {
      events: events.map(describeEvent) as Simulation['events'],
      online: this.is_online,
      buffered_events: held_back,
      fault,
      fault_until,
    }
  }

  /** Follows the network: going offline saves the slice, coming back reports the buffered events. */
  async #change(after: VirtualState): Promise<void> {
    this.#state = after
    if (!after.is_away && !this.is_online) await this.#leave()
    if (!after.is_away || !this.is_online) return
    await this.#comeBack()
    // Its doors may have to be something else by now.
    await this.run([], async () => undefined)
  }

  async #leave(): Promise<void> {
    const [slice, states] = [await this.#readSlice('all'), await this.#readStates()]
    await takeAlong(this.#db, this.#place, slice)
    this.#state = { ...this.#state, states, is_away: true }
    await this.#setStatus({ online: false })
  }

  async #holdBack(events: readonly JournalEvent[], states: VirtualState['states']): Promise<void> {
    await holdBack(this.#db, this.#place, events)
    this.#state = { ...this.#state, states, held_back: this.#state.held_back + events.length }
  }

  async #comeBack(): Promise<void> {
    await this.#setStatus({ online: true })
    for await (const events of readHeldBack(this.#db, this.#place)) await this.#report(events)
    await forgetOffline(this.#db, this.#place)
    this.#state = { ...this.#state, states: null, is_away: false, held_back: 0 }
  }

  /** A change of `online` is an event, a change of power is not. */
  async #setStatus(changes: { online?: boolean; mains_present?: boolean }): Promise<void> {
    const write = { db: this.#db, caller: serviceCaller(this.#organization), now: this.#now }
    const device = await this.#find()
    if (!device) return
    const before = device.status
    const status = { ...before, ...changes }
    if (JSON.stringify(status) === JSON.stringify(before)) return
    if (status.online === before.online) await setDeviceStatus(write, this.#id, status)
    else {
      const offline_since = status.online ? {} : { offline_since: this.#now }
      await updateObject(write, resources.device, device, { status, ...offline_since })
    }
    await followStatus(this.#db, write, { device_id: this.#id, before, after: status })
  }

  async #report(events: readonly JournalEvent[], doors: readonly ReportedDoor[] = []): Promise<void> {
    const context = { db: this.#db, zones: this.#context.zones }
    await recordReport(context, { ...this.#place, now: this.#now }, events)
    await recordDoors(this.#db, { ...this.#place, now: this.#now }, doors)
  }

  async #readSlice(members: readonly string[] | 'all'): Promise<SliceRows> {
    const slice = await buildSlice({ ...this.#context, db: this.#db }, this.#organization, this.#id, members)
    if (!slice) throw new TooManyMembers('too many members to take along')
    return slice
  }

  async #readStates(): Promise<Record<string, string>> {
    const rows = await this.#db.query<{ id: string; state_id: string }>(
      `SELECT id, state_id FROM gadgets WHERE organization_id = $1 AND device_id = $2 AND NOT is_deleted AND state_id IS NOT NULL`,
      [this.#organization, this.#id],
    )
    return Object.fromEntries(rows.map(({ id, state_id }) => [id, state_id]))
  }

  /** Triggers and input rules also reach other virtual devices, which may have faults of their own. */
  async #readFaults(slice: SliceRows) {
    const ids = (slice.gadgets ?? []).map(({ id }) => id)
    const rows = await this.#db.query<Pick<VirtualState, 'fault' | 'fault_until'> & { id: string }>(
      `SELECT g.id, v.fault, v.fault_until FROM gadgets g JOIN devices d ON d.organization_id = g.organization_id AND d.id = g.device_id
       LEFT JOIN virtual_devices v ON v.organization_id = d.organization_id AND v.device_id = d.id
       WHERE g.organization_id = $1 AND g.id = ANY($2::text[]) AND d.hardware_id IS NULL`,
      [this.#organization, ids],
    )
    const faults = new Map(rows.map(row => [row.id, { fault: hardwareFault(faultAt(row, this.#now)) }]))
    return (gadgetId: string) =>
      faults.has(gadgetId) && this.#owns(slice, gadgetId)
        ? { fault: hardwareFault(faultAt(this.#state, this.#now)) }
        : faults.get(gadgetId)
  }

  #owns(slice: SliceRows, gadgetId: string): boolean {
    return slice.gadgets?.find(({ id }) => id === gadgetId)?.device_id === this.#id
  }

  async #forward(gadget_id: string, action_id: string) {
    if (!this.is_online) return 'offline'
    const [row] = await this.#db.query<{ device_id: string; hardware_id: string }>(
      `SELECT g.device_id, d.hardware_id FROM gadgets g JOIN devices d ON d.organization_id = g.organization_id AND d.id = g.device_id
       WHERE g.organization_id = $1 AND g.id = $2`,
      [this.#organization, gadget_id],
    )
    if (!row) return 'refused'
    return this.#context.commands.run({ organization_id: this.#organization, gadget_id, action_id, ...row })
  }

  #find(): Promise<StoredOf<Resources['device']> | undefined> {
    const reach = { organization_id: this.#organization }
    return findObject(this.#db, resources.device, reach, this.#id, { lock: true })
  }
}

function describeEvent(event: JournalEvent): object {
  const {
    sequence: _,
    clock_unsure: __,
    rules: ___,
    next_allowed_at: ____,
    door: _____,
    ...told
  } = event as JournalEvent & {
    rules?: unknown
    next_allowed_at?: unknown
    door?: unknown
  }
  return told
}
