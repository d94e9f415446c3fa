import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../../packages/server/src/index.ts'

const insert = `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
  SELECT 'evt_' || left(md5(random()::text || n), 20), $1, '{}', 'create', '{"type":"member"}', clock_timestamp(), clock_timestamp(), false
  FROM generate_series(1, $2::integer) n`

/** Inserts events directly into the log, as writers commit them. */
export async function writeEvents(db: Pool, organizationId: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 500) {
    await db.query(insert, [organizationId, Math.min(left, 500)])
    await db.query(`SELECT pg_notify('gatehouse_events', '')`)
  }
}

/** Writes single events at a fixed rate, round-robin over the organizations. */
export async function writeSteadily(
  db: Pool,
  organizationIds: readonly string[],
  perSecond: number,
  seconds: number,
): Promise<void> {
  const begin = performance.now()
  for (let written = 0; written < perSecond * seconds; written++) {
    const wait = begin + (written * 1000) / perSecond - performance.now()
    if (wait > 1) await sleep(wait)
    await db.query(insert, [organizationIds[written % organizationIds.length], 1])
    void db.query(`SELECT pg_notify('gatehouse_events', '')`)
  }
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
