import type { Pool } from '../../packages/server/src/index.ts'
import { run } from './fill-members.ts'

export const gadgets = 50
export const subjects = 100
const months = 12

/**
 * Half of the events belong to the first organization, the rest to the others. They are spread over the
 * twelve months before this one.
 */
export async function fillEvents(db: Pool, organizationIds: readonly string[], count: number): Promise<void> {
  for (let back = months; back >= 1; back--) {
    await fillMonth(db, organizationIds, monthBefore(back), Math.round(count / months), back)
    console.log(`  events: ${Math.round((count / months) * (months - back + 1)).toLocaleString('en')}`)
  }
  await run(db, 'VACUUM ANALYZE events')
}

export function gadgetId(index: number): string {
  return `gad_${String(index).padStart(20, '0')}`
}

export function subjectId(index: number): string {
  return `mem_${String(index).padStart(20, '0')}`
}

function monthBefore(back: number): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back))
}

/** Fills a separate table and then attaches it, which builds the indexes at once instead of row by row. */
async function fillMonth(
  db: Pool,
  organizationIds: readonly string[],
  first: Date,
  count: number,
  back: number,
): Promise<void> {
  const name = `events_${first.toISOString().slice(0, 7).replace('-', '_')}`
  const next = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1))
  await run(db, `CREATE TABLE ${name} (LIKE events INCLUDING DEFAULTS)`)
  const seconds = (next.getTime() - first.getTime()) / 1000
  const begin = (months - back) * count
  await db.query(insertInto(name), [organizationIds, begin, count, first.toISOString(), seconds])
  await run(
    db,
    `ALTER TABLE events ATTACH PARTITION ${name} FOR VALUES FROM ('${first.toISOString()}') TO ('${next.toISOString()}')`,
  )
}

function insertInto(name: string): string {
  return `
  INSERT INTO ${name} (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted, sequence)
  SELECT 'evt_' || lpad(n::text, 20, '0'), CASE WHEN n % 2 = 0 THEN ($1::text[])[1] ELSE ($1::text[])[2 + n / 2 % (cardinality($1::text[]) - 1)] END,
    jsonb_build_object('member_id', 'mem_' || lpad((n / 100 % ${subjects})::text, 20, '0'), 'access_method', 'pin'), 'use',
    jsonb_build_object('type', 'gadget_action', 'gadget_id', 'gad_' || lpad((n / 2 % ${gadgets})::text, 20, '0'), 'gadget_action_id', 'open'),
    at, at, false, n
  FROM (SELECT n, $4::timestamptz + (n - $2::integer) * ($5::float8 / $3) * interval '1 second' AS at
    FROM generate_series($2::integer, $2::integer + $3::integer - 1) n) made`
}
