import { addSeconds } from '@gatehouse-access/core'
import type { Logger } from 'pino'
import type { Database, Pool } from '../database/db.ts'
import type { Clock } from '../flow/clock.ts'
import { serviceCaller } from '../store/caller.ts'
import { closeDue } from './close-due.ts'
import type { Author } from './condition.ts'
import { handleTimers } from './handle-timers.ts'
import type { Timer } from './timers.ts'

interface Needs {
  readonly db: Pool
  readonly clock: Clock
  readonly log: Logger
}

/** Timers of one organization that are handled at once. */
const batch = 100

/**
 * Does what is due for alarms. Organizations take turns, so that one with thousands of devices that were lost delays
 * nobody else's by more than a batch. Any number of processes may run this: each takes what no other holds.
 */
export async function tendAlarms(needs: Needs): Promise<void> {
  const failed = new Set<string>()
  for (let isMore = true; isMore; ) {
    isMore = false
    for (const id of await findDue(needs, [...failed])) {
      const outcome = await tend(needs, id).catch(error => {
        needs.log.error({ err: error, organization_id: id }, 'alarms are looked after later')
        failed.add(id)
      })
      if (outcome === 'more') isMore = true
    }
  }
}

async function findDue({ db, clock }: Needs, without: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ organization_id: string }>(
    `SELECT DISTINCT organization_id FROM (SELECT organization_id FROM alarm_timers WHERE due_at <= $1 AND kind <> 'stay'
       UNION ALL SELECT organization_id FROM alarms WHERE closes_at <= $1) due
     WHERE organization_id <> ALL($2::text[])
       AND NOT EXISTS (SELECT 1 FROM organization_imports i WHERE i.organization_id = due.organization_id)`,
    [clock.now(), without],
  )
  return rows.map(row => row.organization_id)
}

async function tend(needs: Needs, organizationId: string): Promise<'more' | 'done'> {
  try {
    return await tendBatch(needs, organizationId, batch)
  } catch {
    return tendApart(needs, organizationId)
  }
}

function tendBatch({ db, clock }: Needs, organizationId: string, most: number): Promise<'more' | 'done'> {
  return db.transaction(async inner => {
    const author: Author = { caller: serviceCaller(organizationId), now: clock.now() }
    const timers = await takeDue(inner, organizationId, author.now, most)
    await handleTimers(inner, author, timers)
    const closed = await closeDue(inner, author, most)
    return timers.length === most || closed === most ? 'more' : 'done'
  })
}

/** One of the batch fails, and would fail the next one again. It is put off, so that the others do not wait for it. */
async function tendApart(needs: Needs, organizationId: string): Promise<'more' | 'done'> {
  for (let count = 0; count < batch; count++) {
    try {
      if ((await tendBatch(needs, organizationId, 1)) === 'done') return 'done'
    } catch (error) {
      if (!(await putOff(needs, organizationId))) throw error
      needs.log.error({ err: error, organization_id: organizationId }, 'an alarm is looked after later')
    }
  }
  return 'more'
}

/** Seconds. */
const pauseOfFailed = 60

async function putOff({ db, clock }: Needs, organizationId: string): Promise<boolean> {
  const now = clock.now()
  const rows = await db.query(
    `UPDATE alarm_timers t SET due_at = $3 FROM (SELECT kind, key FROM alarm_timers WHERE organization_id = $1 AND due_at <= $2 AND kind <> 'stay'
       ORDER BY due_at, kind, key LIMIT 1) first
     WHERE t.organization_id = $1 AND t.kind = first.kind AND t.key = first.key RETURNING 1`,
    [organizationId, now, addSeconds(now, pauseOfFailed)],
  )
  return rows.length > 0
}

/** Takes timers away: whoever needs one of them again sets it again, in the same transaction. */
function takeDue(db: Database, organizationId: string, now: string, most: number): Promise<Timer[]> {
  return db.query<Timer>(
    `DELETE FROM alarm_timers t USING (SELECT kind, key FROM alarm_timers WHERE organization_id = $1 AND due_at <= $2 AND kind <> 'stay'
       ORDER BY due_at, kind, key LIMIT $3 FOR UPDATE SKIP LOCKED) due
     WHERE t.organization_id = $1 AND t.kind = due.kind AND t.key = due.key RETURNING t.kind, t.key, t.due_at, t.about`,
    [organizationId, now, most],
  )
}
