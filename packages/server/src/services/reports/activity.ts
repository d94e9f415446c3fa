import { type Activity, invalid, longestReport, mostEntries, mostReported } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { InputOf } from '../objects/action.ts'
import { requireSite } from './require-site.ts'

const day = 24 * 3600

/** A period, and perhaps the one site that is asked about. */
export interface Period {
  readonly organization_id: string
  readonly from: string
  readonly until: string
  readonly site_id?: string | undefined
}

/** `GET /organization/activity`: reads a limited number of events, however many there are. */
export async function showActivity({ work, query }: InputOf<'organization', 'activity'>): Promise<Activity> {
  const { organization_id } = work.caller
  const { from = work.now, until = work.now, site_id } = query
  if (from >= until) throw invalid('from', 'from must be before until')
  if (addSeconds(from, longestReport * day) < until)
    throw invalid('until', `until must be at most ${longestReport} days after from`)
  if (site_id !== undefined) await requireSite(work, site_id)
  return work.context.reader.read(db => countActivity(db, { organization_id, from, until, site_id }))
}

type By = 'all' | 'hour' | 'gadget' | 'member' | 'reason'

interface Counted {
  readonly by: By
  readonly gadget_id: string | null
  readonly member_id: string | null
  readonly reason: string | null
  readonly hour: string | null
  readonly uses: number
  readonly denials: number
  readonly members: number
  readonly gadgets: number
  readonly last_at: string | null
  readonly oldest_use: string | null
  readonly oldest_denial: string | null
  readonly name: string | null
}

export async function countActivity(db: Database, period: Period): Promise<Activity> {
  const { organization_id, from, until, site_id } = period
  const rows = await db.query<Counted>(statement, [organization_id, from, until, site_id ?? null])
  const by = Map.groupBy(rows, row => row.by)
  const all = by.get('all')?.[0]
  const counts = ({ uses, denials }: Counted) => ({ uses, denials })
  const of = (name: By) => by.get(name) ?? []
  return {
    from,
    until,
    counted_from: countedFrom(from, all),
    uses: all?.uses ?? 0,
    denials: all?.denials ?? 0,
    member_count: all?.members ?? 0,
    gadget_count: all?.gadgets ?? 0,
    by_hour: of('hour').map(row => ({ at: row.hour ?? from, ...counts(row) })),
    by_gadget: of('gadget').map(row => ({
      gadget_id: row.gadget_id ?? '',
      name: row.name,
      ...counts(row),
      last_at: row.last_at ?? until,
    })),
    by_member: of('member').map(row => ({
      member_id: row.member_id,
      name: row.name,
      ...counts(row),
      last_at: row.last_at ?? until,
    })),
    by_reason: of('reason').map(({ reason, denials, last_at }) => ({
      reason: reason ?? '',
      denials,
      last_at: last_at ?? until,
    })),
  }
}

/** Where more was found than is counted, everything is counted from the oldest that was. */
function countedFrom(from: string, all: Counted | undefined): string {
  const cut = [
    all && all.uses >= mostReported ? all.oldest_use : null,
    all && all.denials >= mostReported ? all.oldest_denial : null,
  ].filter(at => at !== null)
  return [from, ...cut].reduce((one, other) => (one > other ? one : other))
}

/** The newest of one type. What a trigger did follows from a use that is counted itself. */
const newest = (type: string, more: string) => `(SELECT '${type}' AS type, object->>'gadget_id' AS gadget_id,
    subject->>'member_id' AS member_id, object->>'reason' AS reason, created_at
  FROM events WHERE organization_id = $1 AND object->>'type' = '${type}' AND created_at >= $2 AND created_at < $3
    AND object->>'gadget_id' IS NOT NULL${more}
    AND ($4::text IS NULL OR object->>'gadget_id' IN (SELECT g.id FROM gadgets g WHERE g.organization_id = $1 AND g.site_id = $4))
  ORDER BY created_at DESC, id DESC LIMIT ${mostReported})`

/** Where more of one type was found than is counted, both types are counted from the same time. */
const statement = `WITH found AS MATERIALIZED (
    ${newest('gadget_action', ` AND verb = 'use' AND object->>'gadget_trigger_id' IS NULL`)}
    UNION ALL ${newest('access_denial', '')}),
  kept AS (SELECT * FROM found WHERE created_at >= (SELECT coalesce(max(oldest), $2)
    FROM (SELECT min(created_at) AS oldest FROM found GROUP BY type HAVING count(*) >= ${mostReported}) cut)),
  counted AS (SELECT
      CASE grouping(hour, gadget_id, member_id, reason) WHEN 15 THEN 'all' WHEN 7 THEN 'hour' WHEN 11 THEN 'gadget' WHEN 13 THEN 'member' ELSE 'reason' END AS by,
      hour, gadget_id, member_id, reason,
      count(*) FILTER (WHERE type = 'gadget_action')::integer AS uses, count(*) FILTER (WHERE type = 'access_denial')::integer AS denials,
      max(created_at) AS last_at, min(created_at) FILTER (WHERE type = 'gadget_action') AS oldest_use,
      min(created_at) FILTER (WHERE type = 'access_denial') AS oldest_denial
    FROM (SELECT *, date_trunc('hour', created_at, 'UTC') AS hour FROM kept) f
    GROUP BY GROUPING SETS ((), (hour), (gadget_id), (member_id), (reason))),
  ranked AS (SELECT *, row_number() OVER (PARTITION BY by ORDER BY uses + denials DESC, last_at DESC) AS rank,
      count(*) FILTER (WHERE by = 'member' AND member_id IS NOT NULL) OVER ()::integer AS members,
      count(*) FILTER (WHERE by = 'gadget') OVER ()::integer AS gadgets
    FROM counted WHERE NOT (by = 'reason' AND reason IS NULL))
  SELECT r.by, r.hour, r.gadget_id, r.member_id, r.reason, r.uses, r.denials, r.members, r.gadgets, r.last_at, r.oldest_use, r.oldest_denial,
    coalesce(g.name, m.name) AS name
  FROM ranked r LEFT JOIN gadgets g ON r.by = 'gadget' AND g.organization_id = $1 AND g.id = r.gadget_id
    LEFT JOIN members m ON r.by = 'member' AND m.organization_id = $1 AND m.id = r.member_id
  WHERE r.by = 'hour' OR r.rank <= ${mostEntries}
  ORDER BY r.by, CASE WHEN r.by = 'hour' THEN r.hour END, r.rank`
