import { type ChangesOf, type Resources, resources, type StoredOf } from '@gatehouse-access/api'
import { followStatus } from '../../alarms/sources/device-status.ts'
import type { Database } from '../../database/db.ts'
import type { Clock } from '../../flow/clock.ts'
import { serviceCaller } from '../../store/caller.ts'
import { isBatteryLow } from '../../store/edits/reasons.ts'
import { findObject, lockObjects } from '../../store/find.ts'
import { setDeviceStatus } from '../../store/reports.ts'
import { updateObject } from '../../store/write.ts'
import { updateObjects } from '../../store/write-many.ts'

export interface PresenceContext {
  readonly db: Database
  readonly clock: Clock
}

export interface Held {
  readonly organization_id: string
  readonly device_id: string
  /** Identifies one connection of one device. */
  readonly connection_id: string
}

interface Arrival extends Held {
  readonly process_id: string
  readonly revision_id: string | null
  readonly gateway_device_id: string | null
}

type Device = StoredOf<Resources['device']>
export type Status = Device['status']

/**
 * Marks the device as connected here and nowhere else. Returns its previous connection. Arrivals and
 * departures lock the device row, so that its status and its connection always agree.
 */
export function arrive(
  context: PresenceContext,
  arrival: Arrival,
): Promise<{ process_id: string; connection_id: string } | undefined> {
  const { organization_id, device_id, connection_id, process_id, revision_id, gateway_device_id } = arrival
  const now = context.clock.now()
  return context.db.transaction(async db => {
    const device = await findDevice(db, arrival)
    if (!device) return undefined
    const [before] = await db.query<{ process_id: string; connection_id: string }>(
      'SELECT process_id, connection_id FROM device_connections WHERE organization_id = $1 AND device_id = $2',
      [organization_id, device_id],
    )
    await db.query(
      `INSERT INTO device_connections (organization_id, device_id, connection_id, process_id, connected_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (organization_id, device_id) DO UPDATE SET connection_id = excluded.connection_id, process_id = excluded.process_id,
         connected_at = excluded.connected_at`,
      [organization_id, device_id, connection_id, process_id, now],
    )
    const { status } = device
    const changes = changed(device, {
      status: { ...status, online: true },
      revision_id: revision_id ?? device.revision_id,
      gateway_device_id,
    })
    if (Object.keys(changes).length > 0)
      await updateObject(
        { db, caller: serviceCaller(organization_id), now },
        resources.device,
        device,
        changes,
      )
    return before
  })
}

/**
 * Marks devices of one organization offline, unless they have reconnected. A whole building may lose its
 * network at once, so the devices leave together.
 */
export function depart(
  context: PresenceContext,
  organization_id: string,
  all: readonly Held[],
): Promise<void> {
  const now = context.clock.now()
  return context.db.transaction(async db => {
    const ids = all.map(({ device_id }) => device_id)
    const devices = await lockObjects(db, resources.device, { organization_id }, ids)
    const gone = await db.query<{ device_id: string }>(
      `DELETE FROM device_connections WHERE organization_id = $1 AND device_id = ANY($2::text[]) AND connection_id = ANY($3::text[])
       RETURNING device_id`,
      [organization_id, ids, all.map(({ connection_id }) => connection_id)],
    )
    const left = new Set(gone.map(({ device_id }) => device_id))
    const offline = devices
      .filter(({ id, status }) => left.has(id) && status.online)
      .map(device => ({ ...device, status: { ...device.status, online: false }, offline_since: now }))
    const write = { db, caller: serviceCaller(organization_id), now }
    await updateObjects(write, resources.device, ['status', 'offline_since'], offline)
  })
}

/** Stores mains and battery status. Only a battery drop below 20 % is an event; returns true for it. */
export function report(context: PresenceContext, held: Held, told: Partial<Status>): Promise<boolean> {
  const { organization_id } = held
  const now = context.clock.now()
  return context.db.transaction(async db => {
    const device = await findDevice(db, held)
    if (!device) return false
    const before = device.status
    const after = { ...before, ...told }
    if (JSON.stringify(before) === JSON.stringify(after)) return false
    const write = { db, caller: serviceCaller(organization_id), now }
    const isLow = isBatteryLow(after) && !isBatteryLow(before)
    if (isLow) await updateObject(write, resources.device, device, { status: after })
    else await setDeviceStatus(write, held.device_id, after)
    await followStatus(db, write, { device_id: held.device_id, before, after })
    return isLow
  })
}

function findDevice(db: Database, { organization_id, device_id }: Held): Promise<Device | undefined> {
  return findObject(db, resources.device, { organization_id }, device_id, { lock: true })
}

/** Returns the values in `after` that differ. */
function changed(before: Device, after: ChangesOf<Resources['device']>): ChangesOf<Resources['device']> {
  const held: Readonly<Record<string, unknown>> = before
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(held[name]) !== JSON.stringify(value)),
  )
}
