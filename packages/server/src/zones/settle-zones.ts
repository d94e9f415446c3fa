import type { Logger } from 'pino'
import type { Database } from '../database/db.ts'
import { keepTables, readLastTables, usedZones } from './last-tables.ts'
import type { ZoneTables } from './zone-data.ts'

interface Settled {
  readonly db: Database
  readonly zones: ZoneTables
  readonly log: Logger
}

/**
 * Stores the tables of all zones that sites are in, so that they outlive the data that knew them, and raises an
 * alarm for zones that the data does not know. Runs at the start, and again because years end and sites arrive.
 */
export async function settleZones({ db, zones, log }: Settled): Promise<void> {
  const used = await usedZones(db)
  await keepTables(
    db,
    zones,
    used.map(({ timezone }) => timezone),
  )
  // Another process may have stored the same table with another release first.
  zones.remember(await readLastTables(db))
  const before = zones.unknown
  zones.unknown = new Map(
    used
      .filter(({ timezone, sites }) => sites > 0 && !zones.isKnown(timezone))
      .map(({ timezone, sites }) => [timezone, sites]),
  )
  for (const [timezone, sites] of zones.unknown)
    if (!before.has(timezone)) raiseAlarm({ zones, log }, timezone, sites)
}

function raiseAlarm({ zones, log }: Pick<Settled, 'zones' | 'log'>, timezone: string, sites: number): void {
  const table = zones.table(timezone)
  log.error(
    { timezone, sites, timezone_release: zones.release, table_release: table?.release ?? null },
    table
      ? 'sites are in a time zone that the zone data does not know: they keep the last table known; choose another zone for them'
      : 'sites are in a time zone that nothing knows: their schedules are closed; choose another zone for them',
  )
}
