import type { DeviceCapability, SliceKind } from '@gatehouse-access/api'
import type { Steps, ZoneTable } from '@gatehouse-access/core'
import type { ZoneData } from '../../zones/zone-data.ts'
import type { ModeView } from '../modes/mode-view.ts'
import { type DevicePlaces, idsOf, kindOf, overlaid, pushTo } from './device-places.ts'
import type { Places } from './places.ts'
import type { SpecialDays } from './special-days.ts'

/** What slices and what devices report need of the zone data of the service. */
export type ZoneTables = Pick<ZoneData, 'release' | 'table' | 'offsetAt'>

interface OverlaySource {
  readonly places: Places
  readonly days: SpecialDays
  readonly zones: ZoneTables
  readonly view: ModeView
}

interface Device {
  readonly device_id: string
  readonly capabilities: ReadonlySet<DeviceCapability>
}

/**
 * Puts above the places of a device what changes with the time, the zone data and the modes of its doors, as far
 * as the device reads it. It is kept apart because it changes often or without any event, and devices that were
 * away meanwhile, or whose firmware changed, get it as a delta.
 */
export function* withOverlay(
  base: DevicePlaces,
  { places, days, zones, view }: OverlaySource,
  { device_id, capabilities }: Device,
): Steps<DevicePlaces> {
  const modes = yield* view.rowsOf(device_id, capabilities)
  const overlay = new Map<string, string>()
  for (const id of idsOf(base, 'sites')) {
    const key = `sites ${id}`
    const plain = base.rows.get(key) ?? '{}'
    const row = (capabilities.has('schedule_exceptions') && siteRow(days, id, plain)) || plain
    const fire = modes.fires.get(id)
    const whole = fire === undefined ? row : `${row.slice(0, -1)},"fire":${fire}}`
    if (whole !== plain) overlay.set(key, whole)
    const zone = places.sites.get(id)?.timezone
    const table = zone !== undefined && capabilities.has('zone_tables') ? zones.table(zone) : null
    if (zone !== undefined && table) overlay.set(`zones ${zone}`, zoneRow(zone, table))
    yield
  }
  for (const [key, row] of modes.others) overlay.set(key, row)
  return yield* overlaid(base, overlay, modes.emergencies)
}

function siteRow({ by_site, rows }: SpecialDays, id: string, without: string): string | undefined {
  const days = by_site.get(id)
  if (!days) return undefined
  const known = rows.get(id)
  if (known?.days === days && known.without === without) return known.row
  const row = `${without.slice(0, -1)},${days.json}}`
  rows.set(id, { days, without, row })
  return row
}

const zoneRows = new WeakMap<ZoneTable, { readonly id: string; readonly row: string }>()

function zoneRow(id: string, table: ZoneTable): string {
  const known = zoneRows.get(table)
  if (known?.id === id) return known.row
  const row = JSON.stringify({ id, ...table })
  zoneRows.set(table, { id, row })
  return row
}

/**
 * Returns everything that an overlay can hold, for a device of which only the base is known to be right: its
 * sites, zones and what sets its modes, each in full.
 */
export function overlayRows({ rows, overlay }: DevicePlaces): Map<SliceKind, string[]> {
  const found = new Map<SliceKind, string[]>()
  for (const [key, json] of rows)
    if (kindOf(key) === 'sites' && !overlay.has(key)) pushTo(found, 'sites', json)
  for (const [key, json] of overlay) pushTo(found, kindOf(key), json)
  return found
}
