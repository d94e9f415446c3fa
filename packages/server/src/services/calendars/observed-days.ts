import type { Work } from '../objects/context.ts'
import type { DateRange } from './date-range.ts'

export interface ObservedDay {
  readonly id: string
  readonly calendar_id: string
  readonly name: string | null
  readonly kind: string
  readonly starts_on: string
  readonly ends_on: string | null
  readonly recurrence: 'none' | 'yearly'
}

const page = 2000

/** Yields pages of the days that may fall into a range, of the calendars that are not deleted, by id. */
export async function* observedDays(
  { db, caller }: Pick<Work, 'db' | 'caller'>,
  calendarIds: readonly string[],
  { from, to }: DateRange,
): AsyncGenerator<ObservedDay[]> {
  for (let after: string | undefined = calendarIds.length === 0 ? undefined : ''; after !== undefined; ) {
    const rows: ObservedDay[] = await db.query<ObservedDay>(
      // The calendars are asked for first: joined, they would be asked again for each of thousands of days.
      `SELECT d.id, d.calendar_id, d.name, d.kind, d.starts_on, d.ends_on, d.recurrence FROM calendar_days d
       WHERE d.organization_id = $1 AND NOT d.is_deleted AND d.starts_on <= $4 AND d.calendar_id = ANY(ARRAY(
           SELECT c.id FROM calendars c WHERE c.organization_id = $1 AND c.id = ANY($2::text[]) AND NOT c.is_deleted))
         AND (d.recurrence = 'yearly' OR coalesce(d.ends_on, d.starts_on) >= $3) AND d.id > $5 ORDER BY d.id LIMIT ${page}`,
      [caller.organization_id, calendarIds, from, to, after],
    )
    yield rows
    after = rows.length < page ? undefined : rows.at(-1)?.id
  }
}
