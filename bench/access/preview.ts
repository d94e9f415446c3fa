import { createClient } from '../../packages/sdk/src/index.ts'
import type { Pool } from '../../packages/server/src/index.ts'
import { judge, measureInTurn, median, medianRatio, printTable } from '../figures.ts'
import { openLoad } from '../load.ts'
import { startService } from '../service.ts'
import { createTenant } from '../tenant.ts'

const day = 86_400_000
const today = new Date().toISOString().slice(0, 10)
const dateAt = (days: number) => new Date(Date.parse(today) + days * day).toISOString().slice(0, 10)
const [calendars, daysACalendar, exceptions] = [10, 500, 400]

/**
 * Compares the preview of a year with a plain read of its schedule: one without special days, and one with as many
 * exceptions as there can be, at a site that observes ten calendars.
 */
export async function measurePreview(seconds: number): Promise<void> {
  await using service = await startService()
  using load = openLoad()
  const tenant = await createTenant(service.db, 'Bench')
  const headers = await tenant.headers()
  const client = createClient({ base_url: `${service.url}/v2`, token: tenant.token })
  const calendar_ids: string[] = []
  for (let index = 0; index < calendars; index++)
    calendar_ids.push((await client.calendars.create({ name: `Calendar ${index}` })).id)
  await fillDays(service.db, tenant.organization_id, calendar_ids)
  // A database in use knows how many rows it has.
  await service.db.query('ANALYZE')
  const site = await client.sites.create({ name: 'Site', timezone: 'Europe/Madrid', calendar_ids })
  const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 28_800, end: 64_800 }] }))
  const plain = await client.schedules.create({ name: 'Plain', weekdays })
  const full = await client.schedules.create({
    name: 'Full',
    weekdays,
    special_days: [
      { kind: 'half_day', ranges: [{ start: 28_800, end: 43_200 }] },
      { kind: 'holiday', ranges: [] },
    ],
    exceptions: Array.from({ length: exceptions }, (_, index) => ({
      starts_on: dateAt(index * 2 - 100),
      ranges: [{ start: 36_000, end: 43_200 }],
    })),
  })
  const time = (path: string) => async () =>
    1000 /
    (await load.measure({
      url: service.url,
      connections: 1,
      duration: seconds,
      requests: [{ path, headers }],
    }))
  const previewOf = (id: string) =>
    `/v2/schedules/${id}/preview?site_id=${site.id}&from=${today}&to=${dateAt(365)}`
  const taken = await measureInTurn({
    read: time(`/v2/schedules/${full.id}`),
    usual: time(previewOf(plain.id)),
    special: time(previewOf(full.id)),
  })
  const row = (name: string, values: readonly number[]) => {
    const ratio = medianRatio(values, taken.read).toFixed(1)
    return [name, median(taken.read).toFixed(2), ratio, ...judge(median(values), 20, 'at most')]
  }
  const special = `${exceptions} exceptions, ${calendars} calendars of ${daysACalendar} days`
  printTable(
    'Preview of 366 days, one connection',
    ['', 'ms of a read of the schedule', 'ratio', 'ms', 'bound', 'holds'],
    [row('no special days', taken.usual), row(special, taken.special)],
  )
}

async function fillDays(db: Pool, organizationId: string, ids: readonly string[]): Promise<void> {
  await db.query(
    `INSERT INTO calendar_days (id, organization_id, calendar_id, kind, starts_on, recurrence, is_public, is_managed, is_deleted, created_at, metadata, search_text)
     SELECT 'cld_' || right(c, 14) || lpad(n::text, 6, '0'), $1, c, CASE n % 2 WHEN 0 THEN 'holiday' ELSE 'half_day' END,
       to_char($3::date + (n * 7919 % 1500), 'YYYY-MM-DD'), 'none', true, false, false, now(), '{}', ''
     FROM unnest($2::text[]) AS c, generate_series(1, $4::integer) AS n`,
    [organizationId, ids, today, daysACalendar],
  )
}
