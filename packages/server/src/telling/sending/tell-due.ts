import type { Steps } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { inSlices } from '../../flow/slices.ts'
import { vapidSubject } from '../../push/vapid-subject.ts'
import type { Hours, Plan, Tell } from '../matter.ts'
import { plan } from '../plan.ts'
import { findHours } from './find-hours.ts'
import { type MatterRow, ruleOf, takeMatters } from './find-matters.ts'
import { findRecipients, type Way } from './find-recipients.ts'
import { findTold } from './find-told.ts'
import type { Needs } from './needs.ts'
import { type Queued, queue } from './queue.ts'

const batch = 200
/** Notifications of one transaction, as long as it is not one alarm that has more. */
const mostQueued = 2000

interface Planned {
  readonly row: MatterRow
  readonly plan: Plan
}

/** What is told, and of which alarms that is. */
interface Addressed {
  readonly queued: readonly Queued[]
  readonly fitting: readonly Planned[]
}

/** Queues what is due of an organization, in one transaction with how far that is. */
export function tellDue(needs: Needs, organizationId: string): Promise<'more' | 'done'> {
  const now = needs.clock.now()
  return needs.db.transaction(async db => {
    const rows = await takeMatters(db, organizationId, now, batch)
    if (rows.length === 0) return 'done'
    const hours = await findHours({ db, zones: needs.zones, now }, organizationId, rows)
    const planned = await inSlices(organizationId, planSteps(rows, hours, now))
    const { queued, fitting } = await address({ ...needs, db }, organizationId, planned, now)
    const count = await queue(db, organizationId, queued, now)
    await save(db, organizationId, fitting)
    needs.metrics.count('gatehouse_notifications_queued_total', {}, count)
    return rows.length === batch || fitting.length < rows.length ? 'more' : 'done'
  })
}

function* planSteps(
  rows: readonly MatterRow[],
  hours: (row: MatterRow) => Hours,
  now: string,
): Steps<Planned[]> {
  const planned: Planned[] = []
  for (const row of rows) {
    yield
    const matter = { telling: row, alarm: row, rule: ruleOf(row), hours: hours(row) }
    planned.push({ row, plan: plan(matter, now) })
  }
  return planned
}

async function address(
  { db, zones, config }: Pick<Needs, 'zones' | 'config'> & { readonly db: Database },
  organizationId: string,
  planned: readonly Planned[],
  now: string,
): Promise<Addressed> {
  const all = planned.flatMap(({ row, plan }) => plan.tell.map(tell => ({ row, tell })))
  if (all.length === 0) return { queued: [], fitting: planned }
  const named = all.flatMap(({ tell }) => (tell.to === 'told' ? [] : tell.to))
  const has_push = 'subject' in vapidSubject(config)
  const waysTo = await findRecipients({ db, zones, now, has_push }, organizationId, named)
  const ended = all.flatMap(({ row, tell }) => (tell.to === 'told' ? [row] : []))
  const told = await findTold({ db, zones, now }, organizationId, ended)
  const find: FindWays = (row, { to }) => (to === 'told' ? told(row) : waysTo(to, row))
  return inSlices(organizationId, addressSteps(planned, find))
}

type FindWays = (row: MatterRow, tell: Tell) => readonly Way[]

/** The others are due again at once, in another transaction. */
function* addressSteps(planned: readonly Planned[], find: FindWays): Steps<Addressed> {
  const queued: Queued[] = []
  for (const [index, { row, plan }] of planned.entries()) {
    yield
    const own = plan.tell.flatMap(tell => find(row, tell).map(way => queuedOf(row, tell, way)))
    if (index > 0 && queued.length + own.length > mostQueued)
      return { queued, fitting: planned.slice(0, index) }
    queued.push(...own)
  }
  return { queued, fitting: planned }
}

function queuedOf(row: MatterRow, { reason, wait }: Tell, way: Way): Queued {
  const { alarm_id, alarm_rule_id, due_at, severity, site_id } = row
  return { way, alarm_id, alarm_rule_id, site_id, reason, severity, due_at, wait }
}

async function save(db: Database, organizationId: string, planned: readonly Planned[]): Promise<void> {
  const next = planned.map(({ row: { alarm_id, alarm_rule_id }, plan }) =>
    plan.next === 'done'
      ? { alarm_id, alarm_rule_id, is_done: true }
      : { ...stateOf(plan.next), alarm_id, alarm_rule_id, is_done: false },
  )
  await db.query(
    `WITH f AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS f(alarm_id text, alarm_rule_id text, is_done boolean, due_at timestamptz,
         is_told boolean, told_at timestamptz, told_since timestamptz, repeated_at timestamptz, repeat_count integer, escalation_count integer)),
       gone AS (DELETE FROM alarm_tellings t USING f WHERE f.is_done AND t.organization_id = $1
         AND t.alarm_id = f.alarm_id AND t.alarm_rule_id = f.alarm_rule_id)
     UPDATE alarm_tellings t SET due_at = f.due_at, is_told = f.is_told, told_at = f.told_at, told_since = f.told_since,
       repeated_at = f.repeated_at, repeat_count = f.repeat_count, escalation_count = f.escalation_count
     FROM f WHERE NOT f.is_done AND t.organization_id = $1 AND t.alarm_id = f.alarm_id AND t.alarm_rule_id = f.alarm_rule_id`,
    [organizationId, next],
  )
}

function stateOf(next: Exclude<Plan['next'], 'done'>): object {
  const { due_at, is_told, told_at, told_since, repeated_at, repeat_count, escalation_count } = next
  return { due_at, is_told, told_at, told_since, repeated_at, repeat_count, escalation_count }
}
