import type { DeviceCapability, SliceKind } from '@gatehouse-access/api'
import type { Steps, ZoneTable } from '@gatehouse-access/core'
import type { ZoneData } from '../../zones/zone-data.ts'
import { type DevicePlaces, idsOf, overlaid } from './device-places.ts'
import type { Places } from './places.ts'
import type { SpecialDays } from './special-days.ts'

/** What slices need of the zone data of the service. */
export type ZoneTables = Pick<ZoneData, 'release' | 'table'>

interface OverlaySource {
  readonly places: Places
  readonly days: SpecialDays
  readonly zones: ZoneTables
}

/**
 * Puts above the places of a device what changes with the time and the zone data, as far as the device reads
 * it. It is kept apart because it changes without any event, and devices that were away meanwhile, or whose
 * firmware changed, get it as a delta.
 */
export function* withOverlay(
  base: DevicePlaces,
  { places, days, zones }: OverlaySource,
  capabilities: ReadonlySet<DeviceCapability>,
): Steps<DevicePlaces> {
  const overlay = new Map<string, string>()
  for (const id of idsOf(base, 'sites')) {
    const key = `sites ${id}`
    const row = capabilities.has('schedule_exceptions') && siteRow(days, id, base.rows.get(key) ?? '{}')
    if (row) overlay.set(key, row)
    const zone = places.sites.get(id)?.timezone
    const table = zone !== undefined && capabilities.has('zone_tables') ? zones.table(zone) : null
    if (zone !== undefined && table) overlay.set(`zones ${zone}`, zoneRow(zone, table))
    yield
  }
  return yield* overlaid(base, overlay)
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
 * sites and zones, each in full.
 */
export function overlayRows({ rows, overlay }: DevicePlaces): Map<SliceKind, string[]> {
  const found = new Map<SliceKind, string[]>()
  const sites = [...rows].flatMap(([key, json]) =>
    key.startsWith('sites ') ? (overlay.get(key) ?? json) : [],
  )
  const zones = [...overlay].flatMap(([key, json]) => (key.startsWith('zones ') ? json : []))
  if (sites.length > 0) found.set('sites', sites)
  if (zones.length > 0) found.set('zones', zones)
  return found
}
