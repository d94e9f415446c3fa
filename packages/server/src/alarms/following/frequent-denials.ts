import { addSeconds, usualThresholds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { StoredEvent } from '../../events/feed-event.ts'
import { type Author, type Condition, conditionKey, isLate } from '../condition.ts'
import { findRuled } from '../ruled.ts'
import type { Rule } from '../rules.ts'

/** A condition that nobody ends, and when it ends if nothing more happens. */
export interface Passing {
  readonly condition: Condition
  readonly ends_at: string
}

/** The denials of one gadget or member in a batch. */
interface Series {
  readonly id: string
  readonly condition: Condition
  first: string
  last: string
}

/** Finds gadgets and members that were denied more often than a rule allows. */
export async function findFrequent(
  db: Database,
  author: Author,
  denials: readonly StoredEvent[],
): Promise<Passing[]> {
  const { organization_id } = author.caller
  const series = seriesOf(denials)
  const conditions = series.map(({ condition }) => condition)
  const ruled = await findRuled(db, author, conditions)
  const asked = series.flatMap(({ id, first, last }, index) =>
    limitsOf(ruled[index]?.rules ?? []).map(limit => ({ id, first, last, ...limit })),
  )
  const byId = new Map(series.map(one => [one.id, one.condition]))
  const found = await findRuns(db, organization_id, asked)
  return found.flatMap(({ id, first_at, last_at, seconds }) => {
    const condition = byId.get(id)
    const ends_at = addSeconds(last_at, seconds)
    return condition ? [{ condition: { ...condition, started_at: first_at }, ends_at }] : []
  })
}

function seriesOf(denials: readonly StoredEvent[]): Series[] {
  const found = new Map<string, Series>()
  const add = ({ created_at, recorded_at }: StoredEvent, id: string, about: Partial<Condition>) => {
    const known = found.get(id)
    if (known) {
      if (created_at < known.first) known.first = created_at
      if (created_at > known.last) known.last = created_at
      return
    }
    const condition: Condition = {
      type: 'access_denied_often',
      condition_key: conditionKey('access_denied_often', id),
      started_at: created_at,
      is_late: isLate(created_at, recorded_at),
      ...about,
    }
    found.set(id, { id, condition, first: created_at, last: created_at })
  }
  for (const event of denials) {
    const { gadget_id } = event.object
    const { member_id } = event.subject
    if (gadget_id) add(event, gadget_id, { gadget_id })
    if (member_id) add(event, member_id, { member_id })
  }
  return [...found.values()]
}

interface Limit {
  readonly count: number
  readonly seconds: number
}

/** Each of the rules that take it up has its own. Within the same time, whatever exceeds the lowest is an alarm. */
export function limitsOf(rules: readonly Pick<Rule, 'thresholds'>[]): Limit[] {
  const lowest = new Map<number, number>()
  for (const { thresholds } of rules.length > 0 ? rules : [{ thresholds: usualThresholds }]) {
    const { count = usualThresholds.count, seconds = usualThresholds.seconds } = thresholds
    lowest.set(seconds, Math.min(count, lowest.get(seconds) ?? count))
  }
  return [...lowest].map(([seconds, count]) => ({ count, seconds }))
}

interface Asked extends Limit {
  readonly id: string
  readonly first: string
  readonly last: string
}

interface Run {
  readonly id: string
  readonly seconds: number
  /** When there were so many within so long, for the first and for the last time. */
  readonly first_at: string
  readonly last_at: string
}

/** Counts in the log itself, which has indexes of the denials of one gadget or member. */
export function runsStatement(key: `e.object->>'gadget_id'` | `e.subject->>'member_id'`): string {
  return `SELECT a.id, a.seconds, d.first_at, d.last_at FROM jsonb_to_recordset($2::jsonb) AS a(id text, count integer, seconds integer, first timestamptz, last timestamptz)
     CROSS JOIN LATERAL (SELECT min(created_at) AS first_at, max(created_at) AS last_at FROM (
       SELECT created_at, lag(created_at, a.count - 1) OVER (ORDER BY created_at) AS nth FROM events e
       WHERE e.organization_id = $1 AND ${key} = a.id AND e.object->>'type' = 'access_denial' AND e.object->>'gadget_trigger_id' IS NULL
         AND e.created_at > a.first - make_interval(secs => a.seconds) AND e.created_at <= a.last
         AND e.recorded_at > a.first - make_interval(secs => a.seconds)) n
       WHERE n.nth > n.created_at - make_interval(secs => a.seconds) AND n.created_at >= a.first) d WHERE d.first_at IS NOT NULL`
}

async function findRuns(db: Database, organizationId: string, asked: readonly Asked[]): Promise<Run[]> {
  const members = asked.filter(({ id }) => id.startsWith('mem_'))
  const gadgets = asked.filter(({ id }) => !id.startsWith('mem_'))
  const found: Run[] = []
  if (gadgets.length > 0)
    found.push(...(await db.query<Run>(runsStatement(`e.object->>'gadget_id'`), [organizationId, gadgets])))
  if (members.length > 0)
    found.push(...(await db.query<Run>(runsStatement(`e.subject->>'member_id'`), [organizationId, members])))
  return found
}
