import type { Feed } from '../../events/feed.ts'
import { eachApart } from '../../flow/each-apart.ts'
import { withHardwareOutcomes } from '../commands/with-hardware-outcomes.ts'
import type { VirtualContext } from './context.ts'
import { VirtualDevice } from './device.ts'
import type { DeviceKey } from './state.ts'

const found = `SELECT DISTINCT d.organization_id, d.id AS device_id FROM gadget_triggers t
  JOIN gadgets g ON g.organization_id = t.organization_id AND g.id = t.target_gadget_id AND NOT g.is_deleted
  JOIN devices d ON d.organization_id = g.organization_id AND d.id = g.device_id AND NOT d.is_deleted AND d.hardware_id IS NULL
  JOIN organizations o ON o.id = d.organization_id AND NOT o.is_deleted
  WHERE t.source_type = 'schedule' AND NOT t.is_deleted
  UNION SELECT organization_id, device_id FROM virtual_devices WHERE fault_until <= $1`

/**
 * Applies the passage of time to virtual devices: schedules begin and end, faults end. Several processes may
 * run it at once, since each device is locked while it runs and stores how far it got.
 */
export async function tickVirtualDevices(context: VirtualContext & { readonly feed: Feed }): Promise<void> {
  await tickAll(context, await context.db.query<DeviceKey & object>(found, [context.clock.now()]))
}

const standingOpen = `SELECT v.organization_id, v.device_id FROM virtual_devices v JOIN organizations o ON o.id = v.organization_id AND NOT o.is_deleted
  JOIN devices d ON d.organization_id = v.organization_id AND d.id = v.device_id AND NOT d.is_deleted
  WHERE (v.closes_at <= $1 AND NOT coalesce(v.fault IN ('stuck_door', 'no_power') AND v.fault_until > $1, false)) OR v.turns_at <= $1`

/**
 * Closes virtual doors that were released, and drives those whose mode turns. Whatever else a device does does
 * this too, so this only catches up, also after the service was down.
 */
export async function closeVirtualDoors(context: VirtualContext & { readonly feed: Feed }): Promise<void> {
  await tickAll(context, await context.db.query<DeviceKey & object>(standingOpen, [context.clock.now()]))
}

async function tickAll(context: VirtualContext, places: readonly DeviceKey[]): Promise<void> {
  await eachApart(places, place => tickVirtualDevice(context, place))
}

/** Lets a virtual device look at the time and at its policy, and do what follows. */
export async function tickVirtualDevice(context: VirtualContext, place: DeviceKey): Promise<void> {
  await withHardwareOutcomes(context.commands, commands =>
    context.db.transaction(async db => {
      const device = await VirtualDevice.hold({ ...context, commands }, db, place)
      await device.run([], machine => machine.station.tick())
      await device.save()
    }),
  )
}
