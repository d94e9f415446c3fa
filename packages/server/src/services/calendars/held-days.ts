import { type ColumnsOf, type Resources, resources } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'

/** A day as it is stored, with what its source calls it. */
export type HeldDay = ColumnsOf<Resources['calendar_day']>

const columns = Object.keys(resources.calendar_day.fields).join(', ')

/** Returns the days of a calendar that are not deleted, in pages: there may be thousands. */
export async function readHeldDays(
  db: Database,
  organization_id: string,
  calendar_id: string,
): Promise<HeldDay[]> {
  const found: HeldDay[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: HeldDay[] = await db.query<HeldDay>(
      `SELECT ${columns} FROM calendar_days WHERE organization_id = $1 AND calendar_id = $2 AND NOT is_deleted AND id > $3 ORDER BY id LIMIT ${page}`,
      [organization_id, calendar_id, after],
    )
    found.push(...rows)
    after = rows.length < page ? undefined : rows.at(-1)?.id
  }
  return found
}

const page = 1000
