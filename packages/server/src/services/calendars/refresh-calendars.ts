import { hash } from 'node:crypto'
import { type RefreshError, RequestError, resources } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { followRefresh } from '../../alarms/sources/calendars.ts'
import { eachApart } from '../../flow/each-apart.ts'
import { once } from '../../flow/once.ts'
import type { FoundDay } from '../../ics/read-days.ts'
import type { Outbound } from '../../outbound/fetch-file.ts'
import { loadDialer } from '../../outbound/load-client.ts'
import { openNames } from '../../outbound/names.ts'
import { openTargets, targetsOf } from '../../outbound/targets.ts'
import { serviceCaller } from '../../store/caller.ts'
import { findObject } from '../../store/find.ts'
import { updateObject } from '../../store/write.ts'
import type { Context, Work } from '../objects/context.ts'
import { applyPlan } from './apply-plan.ts'
import { anything } from './calendars.ts'
import { type DueCalendar, putOff, takeDue } from './due-calendars.ts'
import { findSourceDays } from './find-source-days.ts'
import { readHeldDays } from './held-days.ts'
import { isEmpty, isSuspicious, planDays } from './plan-days.ts'

const hour = 3600
const connectTimeout = 10_000

/**
 * Refreshes the calendars that are due, one after another. It may run any number of times at once, in any number of
 * processes.
 */
export async function refreshCalendars(context: Context): Promise<void> {
  const outbound = openOutbound(context)
  await eachApart(takeDue(context), due => refresh(context, outbound, due))
}

function openOutbound({ config, timers }: Context): Outbound {
  const targets = openTargets(targetsOf(config))
  const dial = once(async () => (await loadDialer()).openDialer(targets, openNames(), connectTimeout))
  return { targets, dial, timers }
}

/** What fails unexpectedly is tried again soon, and does not keep its lease until then. */
async function refresh(context: Context, outbound: Outbound, due: DueCalendar): Promise<void> {
  try {
    await attempt(context, outbound, due)
  } catch (error) {
    await putOff(context, due)
    throw error
  }
}

async function attempt(context: Context, outbound: Outbound, due: DueCalendar): Promise<void> {
  const found = await findSourceDays(context, outbound, due)
  await context.db.transaction(async db => {
    const work: Work = {
      context,
      db,
      caller: serviceCaller(due.organization_id),
      now: context.clock.now(),
    }
    if (await isStillOurs(work, due)) await store(work, due, found)
  })
}

/** The source may have changed meanwhile, or the calendar is deleted, or another process took over. */
async function isStillOurs(
  { db }: Work,
  { organization_id, id, refresh_owner }: DueCalendar,
): Promise<boolean> {
  const rows = await db.query(
    'SELECT 1 FROM calendars WHERE organization_id = $1 AND id = $2 AND refresh_owner = $3 AND NOT is_deleted FOR UPDATE',
    [organization_id, id, refresh_owner],
  )
  return rows.length > 0
}

async function store(work: Work, due: DueCalendar, found: readonly FoundDay[] | RefreshError): Promise<void> {
  if (typeof found === 'string') return end(work, due, { refresh_error: found })
  const digest = digestOf(found)
  const held = await readHeldDays(work.db, due.organization_id, due.id)
  const managed = held.filter(day => day.is_managed)
  const plan = planDays(managed, found, { isOwned: () => true, taken })
  const isAccepted = due.accepted_hash === digest || due.accepted_hash === anything
  if (!isAccepted && isSuspicious(plan, managed, work.now.slice(0, 10))) {
    const refresh_error = due.accepted_hash === null ? 'suspicious' : 'suspicious_changed'
    return end(work, due, { refresh_error, held_back_hash: digest })
  }
  if (isEmpty(plan)) {
    await applyPlan(work, due.id, plan, { held, is_managed: true })
    return end(work, due, { refresh_error: null })
  }
  try {
    await applyPlan(work, due.id, plan, { held, is_managed: true })
  } catch (error) {
    if (!(error instanceof RequestError && error.type === 'quota_exceeded')) throw error
    return end(work, due, { refresh_error: 'too_many_days' })
  }
  await end(work, due, { refresh_error: null })
  await tell(work, due)
}

const taken = ['uid', 'name', 'kind', 'starts_on', 'ends_on', 'recurrence', 'is_public'] as const

/** Of the days, not of the file: many feeds tell the time of the request. */
function digestOf(found: readonly FoundDay[]): string {
  const lines = found.map(day => JSON.stringify(taken.map(name => day[name]))).sort()
  return hash('sha256', lines.join('\n'), 'hex')
}

interface Outcome {
  readonly refresh_error: RefreshError | null
  readonly held_back_hash?: string
}

/** Ends the refresh. If somebody asked for another one meanwhile, or accepted days, that stays. */
async function end(
  work: Work,
  due: DueCalendar,
  { refresh_error, held_back_hash = '' }: Outcome,
): Promise<void> {
  const wait = refresh_error === null || held_back_hash ? 24 * hour : hour
  const [after] = await work.db.query<{ fresh_at: string }>(
    `UPDATE calendars SET refreshed_at = $3, refresh_error = nullif($4, ''), held_back_hash = nullif($5, ''),
       refresh_owner = NULL, refresh_owned_until = NULL,
       fresh_at = CASE WHEN $4 = '' THEN $3 ELSE fresh_at END,
       accepted_hash = CASE WHEN ($4 = '' OR $5 <> '') AND accepted_hash IS NOT DISTINCT FROM nullif($8, '') THEN NULL ELSE accepted_hash END,
       refresh_due_at = CASE WHEN refresh_due_at > $6 THEN refresh_due_at ELSE $7 END
     WHERE organization_id = $1 AND id = $2 RETURNING coalesce(fresh_at, created_at) AS fresh_at`,
    [
      due.organization_id,
      due.id,
      work.now,
      refresh_error ?? '',
      held_back_hash,
      due.refresh_due_at,
      addSeconds(work.now, wait),
      due.accepted_hash ?? '',
    ],
  )
  const fresh_at = after?.fresh_at ?? work.now
  await followRefresh(work.db, work, { calendar_id: due.id, fresh_at, has_failed: refresh_error !== null })
}

/** One event of the calendar for all days that changed, beside theirs. */
async function tell(work: Work, { organization_id, id }: DueCalendar): Promise<void> {
  const calendar = await findObject(work.db, resources.calendar, { organization_id }, id)
  if (calendar) await updateObject(work, resources.calendar, calendar, { refreshed_at: work.now })
}
