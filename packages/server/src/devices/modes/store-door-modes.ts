import type { FromDevice } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'

type Told = FromDevice<'doors'>['doors'][number]

/** Who tells of doors, and when. */
export interface DoorReporter {
  readonly organization_id: string
  readonly device_id: string
  /** Null for a virtual device, which has no connection. */
  readonly connection_id: string | null
  readonly version: number
  readonly at: string
}

/** What a device says of one of its doors. All doors of a message have the same reporter. */
export interface DoorReport {
  readonly by: DoorReporter
  readonly door: Told
}

interface JoinedReport extends DoorReporter, Omit<Told, 'gadget_id'> {
  readonly gadget_ids: string[]
}

/**
 * Stores what the doors are. Only the device of a door may tell, on its current connection. A report that says
 * the same as before changes nothing, because controllers report after every new version of their policy.
 */
export async function storeDoorModes(db: Database, reports: readonly DoorReport[]): Promise<void> {
  if (reports.length === 0) return
  await db.query(
    `WITH told AS MATERIALIZED (
       SELECT e.* FROM jsonb_to_recordset($1::jsonb) AS e(organization_id text, gadget_ids text[], device_id text, connection_id text,
         version bigint, mode text, source text, emergency_ids text[], outcome text, at timestamptz)
       LEFT JOIN device_connections c ON c.organization_id = e.organization_id AND c.device_id = e.device_id
       WHERE c.connection_id IS NOT DISTINCT FROM e.connection_id)
     INSERT INTO door_modes AS t (organization_id, gadget_id, device_id, version, mode, source, since, emergency_ids, outcome, reported_at)
     SELECT e.organization_id, g.id, e.device_id, e.version, e.mode, e.source, e.at, e.emergency_ids, e.outcome, e.at
     FROM told e CROSS JOIN unnest(e.gadget_ids) AS own(gadget_id)
     JOIN gadgets g ON g.organization_id = e.organization_id AND g.id = own.gadget_id AND g.device_id = e.device_id
     ORDER BY e.organization_id, g.id
     ON CONFLICT (organization_id, gadget_id) DO UPDATE SET device_id = excluded.device_id, version = excluded.version,
       mode = excluded.mode, source = excluded.source, emergency_ids = excluded.emergency_ids, outcome = excluded.outcome,
       reported_at = excluded.reported_at, unlock_rule_id = NULL, cause = NULL,
       since = CASE WHEN t.mode = excluded.mode THEN t.since ELSE excluded.since END
     WHERE (t.device_id, t.mode, t.source, t.emergency_ids, t.outcome)
       IS DISTINCT FROM (excluded.device_id, excluded.mode, excluded.source, excluded.emergency_ids, excluded.outcome)`,
    [joinEqual(reports)],
  )
}

/** Joins doors of which a device says the same: in a lockdown all of them, and PostgreSQL reads JSON slowly. */
function joinEqual(reports: readonly DoorReport[]): JoinedReport[] {
  const rows: JoinedReport[] = []
  for (const [by, own] of Map.groupBy(reports, report => report.by)) {
    const joined = new Map<string, JoinedReport>()
    for (const { door } of own) {
      const { gadget_id, mode, source, outcome, emergency_ids = [] } = door
      const key = `${mode} ${source} ${outcome} ${emergency_ids}`
      const known = joined.get(key)
      if (known) known.gadget_ids.push(gadget_id)
      else joined.set(key, { ...by, mode, source, outcome, emergency_ids, gadget_ids: [gadget_id] })
    }
    rows.push(...joined.values())
  }
  return rows
}
