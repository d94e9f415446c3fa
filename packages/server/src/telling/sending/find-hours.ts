import { addSeconds, type DayOfSite } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { ZoneData } from '../../zones/zone-data.ts'
import { always, hoursOf } from '../hours.ts'
import type { Hours } from '../matter.ts'
import type { MatterRow } from './find-matters.ts'

interface Needs {
  readonly db: Database
  readonly zones: ZoneData
  readonly now: string
}

/** A day of a calendar lasts for a year at most. */
const longest = 370 * 86_400
const mostDays = 5000

/** Returns when the rules of matters count, in the zone of the alarm's site and with its holidays. */
export async function findHours(
  needs: Needs,
  organizationId: string,
  rows: readonly MatterRow[],
): Promise<(row: MatterRow) => Hours> {
  const known = new Map<string, Hours>()
  for (const row of rows) {
    const key = keyOf(row)
    // A rule whose schedule is deleted counts always: rather told than not.
    if (!row.schedule || row.schedule.is_deleted || known.has(key)) continue
    const timezone = row.timezone ?? 'UTC'
    const kinds = new Set(row.schedule.special_days?.map(({ kind }) => kind))
    const days = kinds.size > 0 ? await findDays(needs, organizationId, row) : []
    const observed = days.filter(({ kind }) => kinds.has(kind))
    known.set(key, hoursOf(row.schedule, { timezone, table: needs.zones.table(timezone), days: observed }))
  }
  return row => known.get(keyOf(row)) ?? always
}

function keyOf({ schedule_id, site_id }: MatterRow): string {
  return `${schedule_id} ${site_id}`
}

function findDays(
  { db, now }: Needs,
  organizationId: string,
  { calendar_ids }: MatterRow,
): Promise<DayOfSite[]> {
  const date = (at: string) => at.slice(0, 10)
  return db.query<DayOfSite>(
    `SELECT d.kind, d.starts_on, d.ends_on, d.recurrence FROM calendar_days d
     JOIN calendars c ON c.organization_id = d.organization_id AND c.id = d.calendar_id AND NOT c.is_deleted
     WHERE d.organization_id = $1 AND d.calendar_id = ANY($2::text[]) AND NOT d.is_deleted AND d.starts_on <= $4
       AND (d.recurrence = 'yearly' OR coalesce(d.ends_on, d.starts_on) >= $3) ORDER BY d.id LIMIT ${mostDays}`,
    [organizationId, calendar_ids ?? [], date(addSeconds(now, -longest)), date(addSeconds(now, longest))],
  )
}
