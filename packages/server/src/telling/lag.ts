import type { Database } from '../database/db.ts'
import { asRead } from '../database/postgres/query.ts'
import type { Clock } from '../flow/clock.ts'
import type { Metrics } from '../monitoring/metrics.ts'

interface Needs {
  readonly db: Database
  readonly clock: Clock
  readonly metrics: Metrics
}

/** Measures how late alarms and messages to people are. Whoever runs the service must know: nobody else would tell. */
export function measureTelling({ db, clock, metrics }: Needs): void {
  metrics.gauge('gatehouse_alarm_timer_lag_seconds', 'Age of the oldest due that alarms wait for.', () =>
    findTimerLag(db, clock.now()).catch(() => Number.NaN),
  )
  metrics.gauge('gatehouse_notification_lag_seconds', 'Age of the oldest due notification of an alarm.', () =>
    findNotificationLag(db, clock.now()).catch(() => Number.NaN),
  )
}

/** Nothing is done for an organization that is just being imported. */
const isHere = `NOT EXISTS (SELECT 1 FROM organization_imports i WHERE i.organization_id = due.organization_id)`

async function findTimerLag(db: Database, now: string): Promise<number> {
  const [row] = await db.query<{ seconds: number | null }>(
    `SELECT extract(epoch FROM $1::timestamptz - min(at))::float8 AS seconds FROM (
       SELECT due_at AS at, organization_id FROM alarm_timers WHERE due_at <= $1
       UNION ALL SELECT closes_at, organization_id FROM alarms WHERE closes_at <= $1) due WHERE ${isHere}`,
    [now],
    asRead,
  )
  return row?.seconds ?? 0
}

async function findNotificationLag(db: Database, now: string): Promise<number> {
  const [row] = await db.query<{ seconds: number | null }>(
    `SELECT extract(epoch FROM $1::timestamptz - min(at))::float8 AS seconds FROM (
       SELECT due_at AS at, organization_id FROM alarm_tellings WHERE due_at <= $1
       UNION ALL SELECT next_attempt_at, organization_id FROM notifications WHERE status = 'pending' AND next_attempt_at <= $1) due WHERE ${isHere}`,
    [now],
    asRead,
  )
  return row?.seconds ?? 0
}
