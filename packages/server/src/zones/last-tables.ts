import type { ZoneTable } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import type { ZoneTables } from './zone-data.ts'

/** Reads the last tables known of all zones. Their number is that of the zones of all sites ever. */
export async function readLastTables(db: Database): Promise<[string, ZoneTable][]> {
  const rows = await db.query<{ name: string; zone_table: ZoneTable }>(
    'SELECT name, zone_table FROM zone_tables',
  )
  return rows.map(({ name, zone_table: { release, from, until, offset, changes } }) => [
    name,
    // A jsonb has keys in an order of its own, and devices compare bytes.
    { release, from, until, offset, changes: changes.map(({ at, offset }) => ({ at, offset })) },
  ])
}

/** Stores the tables of zones as the last ones known, where they differ from those stored. */
export async function keepTables(db: Database, zones: ZoneTables, names: readonly string[]): Promise<void> {
  const known = names.filter(name => zones.isKnown(name))
  if (known.length === 0) return
  const tables = Object.fromEntries(known.map(name => [name, zones.table(name)]))
  await db.query(
    `INSERT INTO zone_tables (name, zone_table) SELECT key, value FROM jsonb_each($1::jsonb)
     ON CONFLICT (name) DO UPDATE SET zone_table = excluded.zone_table
     WHERE zone_tables.zone_table <> excluded.zone_table`,
    [tables],
  )
}

/** A zone that sites are in, and how many of them are not deleted. */
export interface UsedZone {
  readonly timezone: string
  readonly sites: number
}

export async function usedZones(db: Database): Promise<UsedZone[]> {
  return db.query<UsedZone>(
    `SELECT timezone, (count(*) FILTER (WHERE NOT is_deleted))::integer AS sites FROM sites
     GROUP BY timezone ORDER BY timezone`,
  )
}
