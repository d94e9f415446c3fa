import type { Resource } from '@gatehouse-access/api'
import type { Clock } from '../flow/clock.ts'
import type { ZoneData } from './zone-data.ts'

/** What answers take from the zone data. */
export interface Telling {
  readonly zones: ZoneData
  readonly clock: Clock
}

/** Adds to rows that are sites what the zone data says of their zones. */
export function tellZones<Row extends object>(telling: Telling, { kind }: Resource, rows: Row[]): Row[] {
  if (kind === 'site') for (const row of rows) Object.assign(row, zoneFacts(telling, row))
  return rows
}

function zoneFacts({ zones, clock }: Telling, site: { readonly timezone?: unknown }) {
  const name = String(site.timezone)
  const is_timezone_known = zones.isKnown(name)
  return {
    is_timezone_known,
    timezone_release: is_timezone_known ? zones.release : (zones.table(name)?.release ?? null),
    next_clock_change: zones.nextChange(name, clock.now()),
  }
}
