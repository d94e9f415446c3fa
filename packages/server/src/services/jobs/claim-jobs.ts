import { type JobTypeName, resources } from '@gatehouse-access/api'
import { holdLock } from '../../database/locks.ts'
import { findObject } from '../../store/find.ts'
import { updateObject } from '../../store/write.ts'
import type { Context } from '../objects/context.ts'
import { serviceOf } from './rights.ts'
import { findWhole } from './sealed-jobs.ts'

const mostRunning = 3
export const lease = `clock_timestamp() + interval '8 seconds'`

export interface Claimed {
  readonly organization_id: string
  readonly id: string
  readonly type: JobTypeName
}

type Needs = Pick<Context, 'db' | 'clock' | 'life'>

/** What a process can lead in addition. */
export interface Room {
  readonly types: readonly JobTypeName[]
  readonly most: number
  /** Whether jobs of these types hold something scarce: then an organization has one at a time. */
  readonly is_scarce: boolean
}

/** Takes over jobs whose leader is gone. One that this process leads itself is not, even if it was late to say so. */
export async function claimLeaderless(
  { db, life }: Needs,
  { types, most }: Room,
  led: readonly string[],
): Promise<Claimed[]> {
  return db.query<Claimed>(
    `UPDATE jobs SET owner = $1, owned_until = ${lease}, failure_count = failure_count + 1
     WHERE (organization_id, id) IN (SELECT organization_id, id FROM jobs WHERE state = 'running' AND type = ANY($2::text[])
       AND (owner IS NULL OR owned_until < clock_timestamp()) AND NOT id = ANY($4::text[]) ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING organization_id, id, type`,
    [life.owner, types, most, led],
  )
}

/**
 * Begins jobs that wait: the oldest of each organization, so that one with many does not keep the others waiting. An
 * organization with too many running ones waits for itself only.
 */
export async function claimQueued(context: Needs, { types, most, is_scarce }: Room): Promise<Claimed[]> {
  const waiting = await context.db.query<Claimed>(
    `SELECT organization_id, id, type FROM (
       SELECT DISTINCT ON (q.organization_id) q.organization_id, q.id, q.type, q.created_at FROM jobs q
       WHERE q.state = 'queued' AND q.type = ANY($1::text[])
         AND (SELECT count(*) FROM jobs r WHERE r.organization_id = q.organization_id AND r.state = 'running') < ${mostRunning}
         AND NOT ($3 AND EXISTS (SELECT 1 FROM jobs s WHERE s.organization_id = q.organization_id AND s.state = 'running' AND s.type = q.type))
       ORDER BY q.organization_id, q.created_at) w
     ORDER BY created_at LIMIT $2`,
    [types, most, is_scarce],
  )
  const begun: Claimed[] = []
  for (const claimed of waiting) if (await begin(context, claimed)) begun.push(claimed)
  return begun
}

/** Another process may have begun it, or another one of the organization, since it was found. */
async function begin({ db, clock, life }: Needs, { organization_id, id }: Claimed): Promise<boolean> {
  return db.transaction(async inner => {
    await holdLock(inner, 'jobs_of_organization', organization_id)
    const [counted] = await inner.query<{ running: number }>(
      `SELECT count(*)::int AS running FROM jobs WHERE organization_id = $1 AND NOT is_deleted AND state = 'running'`,
      [organization_id],
    )
    const job = await findObject(inner, resources.job, { organization_id }, id, { lock: true })
    if (job?.state !== 'queued' || (counted?.running ?? 0) >= mostRunning) return false
    const whole = await findWhole(inner, organization_id, id)
    const now = clock.now()
    const caller = whole && serviceOf(whole)
    if (!caller) return false
    await updateObject({ db: inner, caller, now }, resources.job, job, { state: 'running', started_at: now })
    await inner.query(
      `UPDATE jobs SET owner = $3, owned_until = ${lease} WHERE organization_id = $1 AND id = $2`,
      [organization_id, id, life.owner],
    )
    return true
  })
}
