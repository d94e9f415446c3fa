import { addSeconds, alarmSeverities } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { tryLock } from '../../database/locks.ts'
import { firstId, newId } from '../../store/ids.ts'
import { burstSpan, burstUntil } from '../burst.ts'
import { type Group, pace, paceSpan, type Sent } from '../pace.ts'
import type { Needs } from './needs.ts'
import { quietGroup } from './queue.ts'

interface Waiting extends Group {
  readonly recipient: string
  /** Whether it tells of beginnings or ends, not of something again. */
  readonly is_turn: boolean
}

interface Before extends Sent {
  /** Of a digest, one of its groups: it says nothing about how often the others were told of. */
  readonly group_key: string
}

/** What one message, or one wait, is for. */
interface Formed {
  readonly recipient: string
  readonly group_keys: readonly string[]
  readonly message_id: string | null
  readonly is_digest: boolean
  readonly until: string | null
}

const recipientOf = `coalesce(n.notification_target_id, n.user_id, '') || ' ' || n.channel`
const unformed = `n.organization_id = $1 AND n.status = 'pending' AND n.message_id IS NULL`

/** Makes messages of what waits and is due. A recipient that has had many gets the rest in a digest. */
export async function formMessages({ db, clock }: Needs, organizationId: string): Promise<void> {
  await db.transaction(async inner => {
    // Another process forms them, and knows what the pace allows.
    if (!(await tryLock(inner, 'messages_of_organization', organizationId))) return
    const now = clock.now()
    const waiting = await findWaiting(inner, organizationId, now)
    if (waiting.length === 0) return
    const before = await findBefore(inner, organizationId, now)
    const formed: Formed[] = []
    for (const [recipient, groups] of Map.groupBy(waiting, ({ recipient }) => recipient))
      formed.push(...form(recipient, groups, before.get(recipient) ?? [], now))
    await store(inner, organizationId, formed, now)
  })
}

/** Groups that are formed at once, the gravest first. */
const most = 5000

/** A group is due with the first of it. */
function findWaiting(db: Database, organizationId: string, now: string): Promise<Waiting[]> {
  return db.query<Waiting>(
    `SELECT ${recipientOf} AS recipient, n.group_key, max(array_position($3::text[], a.severity)) AS rank, bool_and(n.reason = 'ended') AS is_end,
       bool_and(n.reason IN ('opened', 'ended')) AS is_turn FROM notifications n JOIN alarms a ON a.organization_id = $1 AND a.id = n.alarm_id
     WHERE ${unformed} GROUP BY 1, 2 HAVING min(n.next_attempt_at) <= $2 ORDER BY 3 DESC LIMIT ${most}`,
    [organizationId, now, alarmSeverities],
  )
}

/** Steps from message to message, whose ids are in the order of time: a digest may have ten thousand rows. */
async function findBefore(db: Database, organizationId: string, now: string): Promise<Map<string, Before[]>> {
  const since = addSeconds(now, -paceSpan)
  const rows = await db.query<Before & { recipient: string }>(
    `WITH RECURSIVE m AS (SELECT $3::text COLLATE "C" AS id
       UNION ALL SELECT (SELECT n.message_id FROM notifications n
         WHERE n.organization_id = $1 AND n.message_id > m.id ORDER BY n.message_id LIMIT 1) FROM m WHERE m.id IS NOT NULL)
     SELECT one.* FROM m CROSS JOIN LATERAL (SELECT ${recipientOf} AS recipient, n.formed_at AS at, n.reason = 'digest' AS is_digest, n.group_key
       FROM notifications n WHERE n.organization_id = $1 AND n.message_id = m.id LIMIT 1) one WHERE one.at > $2`,
    [organizationId, since, firstId('notification', since)],
  )
  return Map.groupBy(rows, ({ recipient }) => recipient)
}

function form(
  recipient: string,
  groups: readonly Waiting[],
  before: readonly Before[],
  now: string,
): Formed[] {
  const waits = (group: Waiting) => (group.is_turn ? burstUntil(group, timesOf(group, before, now)) : '')
  const { ready = [], bursting = [] } = Object.groupBy(groups, group =>
    waits(group) > now ? 'bursting' : 'ready',
  )
  const { alone, together, held, until } = pace(ready, before, now)
  const keys = (some: readonly Waiting[]) => some.map(({ group_key }) => group_key)
  const message = (some: readonly Waiting[], is_digest: boolean): Formed => ({
    ...{ recipient, group_keys: keys(some), is_digest, until: null },
    message_id: newId('notification', now),
  })
  const wait = (group_keys: readonly string[], until: string): Formed => ({
    ...{ recipient, group_keys, message_id: null, is_digest: false, until },
  })
  return [
    ...alone.map(group => message([group], group.group_key === quietGroup)),
    ...(together.length > 0 ? [message(together, true)] : []),
    ...(held.length > 0 ? [wait(keys(held), until)] : []),
    ...bursting.map(group => wait([group.group_key], waits(group))),
  ]
}

/** When messages of a group were made of late. */
function timesOf({ group_key }: Waiting, before: readonly Before[], now: string): string[] {
  const since = addSeconds(now, -burstSpan)
  return before.filter(sent => sent.at > since && sent.group_key === group_key).map(({ at }) => at)
}

async function store(
  db: Database,
  organizationId: string,
  formed: readonly Formed[],
  now: string,
): Promise<void> {
  await db.query(
    `UPDATE notifications n SET message_id = f.message_id, formed_at = CASE WHEN f.message_id IS NULL THEN NULL ELSE $3::timestamptz END,
       next_attempt_at = coalesce(f.until, $3::timestamptz), reason = CASE WHEN f.is_digest THEN 'digest' ELSE n.reason END
     FROM jsonb_to_recordset($2::jsonb) AS f(recipient text, group_keys text[], message_id text, is_digest boolean, until timestamptz)
     WHERE ${unformed} AND ${recipientOf} = f.recipient AND n.group_key = ANY(f.group_keys)
       AND (f.message_id IS NOT NULL OR n.next_attempt_at < f.until)`,
    [organizationId, formed, now],
  )
}
