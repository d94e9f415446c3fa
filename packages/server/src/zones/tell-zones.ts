import { expectedZone, type ListQuery, type Resource, refuse } from '@gatehouse-access/api'
import type { Clock } from '../flow/clock.ts'
import type { ZoneData, ZoneTables } from './zone-data.ts'

/** What answers take from the zone data. */
export interface ZoneTelling {
  readonly zones: ZoneData
  readonly clock: Clock
}

/** Adds to rows that are sites what the zone data says of their zones. */
export function tellZones<Row extends object>(telling: ZoneTelling, { kind }: Resource, rows: Row[]): Row[] {
  if (kind === 'site') for (const row of rows) Object.assign(row, zoneFacts(telling, row))
  return rows
}

function zoneFacts({ zones, clock }: ZoneTelling, site: { readonly timezone?: unknown }) {
  const name = String(site.timezone)
  const is_timezone_known = zones.isKnown(name)
  return {
    is_timezone_known,
    timezone_release: is_timezone_known ? zones.release : (zones.table(name)?.release ?? null),
    next_clock_change: zones.nextChange(name, clock.now()),
  }
}

/** Throws if a list asks for the sites of a zone that the data does not know and that no site is in. */
export function refuseUnknownZones(
  { zones }: { readonly zones: Pick<ZoneTables, 'isKnown' | 'unknown'> },
  { kind }: Resource,
  { conditions }: Pick<ListQuery, 'conditions'>,
): void {
  if (kind !== 'site') return
  for (const { filter, value } of conditions)
    if (filter.path === 'timezone' && !zones.isKnown(String(value)) && !zones.unknown.has(String(value)))
      refuse(filter.name, expectedZone, value)
}
