import { touchedTables } from '../../erasing/holdings.ts'
import { refreshStatistics } from '../../erasing/statistics.ts'
import type { Context } from '../objects/context.ts'

/** Milliseconds that an erasure waits for others, so that the statistics are refreshed for all of them at once. */
const together = 30_000

export async function refresh({ db, log }: Context, tables = touchedTables): Promise<void> {
  await refreshStatistics(db, tables).catch(error =>
    log.warn({ err: error }, 'statistics were not refreshed after an erasure'),
  )
}

/** Returns whether erasures went on. */
export async function refreshForAll(context: Context): Promise<boolean> {
  const { db, clock, timers, log } = context
  const [row] = await db.query<{ ready: number; is_due: boolean }>(
    `SELECT count(*) FILTER (WHERE stage = 'statistics')::integer AS ready,
       count(*) FILTER (WHERE stage IN ('rows', 'answers', 'events', 'deliveries')) = 0
         OR min(worked_at) FILTER (WHERE stage = 'statistics') <= $1::timestamptz - make_interval(secs => $2::float8 / 1000) AS is_due
     FROM erasures WHERE state = 'running'`,
    [clock.now(), together],
  )
  if (!row?.is_due || row.ready === 0) return false
  const ready = await db.query<{ organization_id: string; id: string }>(
    `SELECT organization_id, id FROM erasures WHERE state = 'running' AND stage = 'statistics' LIMIT 10000`,
  )
  const began = timers.elapsed()
  await refresh(context)
  log.debug(
    { erasures: ready.length, duration: timers.elapsed() - began },
    'refreshed statistics after erasures',
  )
  await db.query(
    `UPDATE erasures e SET stage = 'receipt' FROM unnest($1::text[], $2::text[]) AS r(organization_id, id)
     WHERE e.organization_id = r.organization_id AND e.id = r.id AND e.stage = 'statistics'`,
    [ready.map(({ organization_id }) => organization_id), ready.map(({ id }) => id)],
  )
  return true
}
