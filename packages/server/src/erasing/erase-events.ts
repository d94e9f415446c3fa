import { amendEvents } from '../audit/amendments/amend.ts'
import type { Act } from '../audit/amendments/amendment.ts'
import { emptyChanges, forgetMember, unlinkEvent } from '../audit/amendments/unlink.ts'
import type { AuditKey } from '../audit/keys.ts'
import type { Database } from '../database/db.ts'
import type { EventColumns } from '../events/feed-event.ts'
import { emptyDeliveries } from './empty-deliveries.ts'
import type { MemberKey } from './erase-rows.ts'

interface Erased {
  readonly events: number
  /** Events that wait to be linked: they cannot change before. */
  readonly early: readonly string[]
  readonly deliveries: number
  /** Whether there may be more. */
  readonly has_more: boolean
}

interface Means {
  readonly key: AuditKey
  readonly act: Act
  /** Deletes what the member did at doors, and was denied. */
  readonly deletes: boolean
  /** Cards whose names and metadata go with the member, also from what was sent of their events. */
  readonly card_ids: readonly string[]
  readonly reached: Reached
  /** How many events one transaction takes, and one statement. */
  readonly size: number
  readonly at_once: number
  /** Whether the transaction should end: what is left is for the next one. */
  readonly isOver?: () => boolean
  readonly now: string
}

/**
 * The events that tell others of an erasure keep the bare ID, which names nobody any more: the deletion of the member, and the
 * creation of the erasure.
 */
const tellsOfErasure = `((object->>'type') = 'erasure' OR ((object->>'type') = 'member' AND verb = 'delete' AND (object->>'reason') = 'erased'))`

const bySubject = `organization_id = $1 AND (subject->>'member_id') = $2`
const byObject = `organization_id = $1 AND (object->>'member_id') = $2 AND NOT ${tellsOfErasure}`

/** Edits of other objects that changed a field which names members. Few fields do, and an index finds their edits. */
const byChange = `organization_id = $1 AND object ? 'changes' AND position($2 IN object->>'changes') > 0 AND (
  jsonb_path_query_array(object, '$.changes[*].field') @> '["member_id"]' OR jsonb_path_query_array(object, '$.changes[*].field') @> '["member_ids"]')`

/** Takes a member out of a batch of events, in a transaction of the caller, and out of what webhooks were sent of them. */
export async function eraseEvents(db: Database, member: MemberKey, means: Means): Promise<Erased> {
  const { ids, sides } = await findEvents(db, member, means)
  if (ids.length === 0) return { events: 0, deliveries: 0, early: [], has_more: false }
  const { member_id } = member
  const left = (event: EventColumns) =>
    means.deletes && isAccess(event, member_id) ? undefined : takeFrom(event, member_id)
  const { events, early, left_over } = await amendEvents(db, means, ids, left)
  means.reached.advance(sides, new Set(left_over))
  const sent = { organization_id: member.organization_id, event_ids: events.map(({ id }) => id) }
  const deliveries = await emptyDeliveries(db, sent, means.now)
  return {
    events: events.length,
    deliveries,
    early,
    has_more: events.length > 0 || !means.reached.is_beginning,
  }
}

/** What is left of an event that was found. */
export function takeFrom(event: EventColumns, memberId: string): EventColumns {
  const unlinked = unlinkEvent(event, memberId)
  return event.object.type === 'card' ? emptyChanges(unlinked) : forgetMember(unlinked, memberId)
}

/**
 * How far events were looked for, by those that name the member as subject and as object. Only a hint: without it, a search has to
 * pass everything in the index that earlier batches have left there.
 */
export class Reached {
  subject: Place = beginning
  object: Place = beginning

  get is_beginning(): boolean {
    return this.subject === beginning && this.object === beginning
  }

  restart(): void {
    this.subject = this.object = beginning
  }

  /** Passes what was found, up to the first event that was left over. */
  advance(found: Sides, leftOver: ReadonlySet<string>): void {
    for (const side of sides) {
      const end = found[side].findIndex(({ id }) => leftOver.has(id))
      const last = (end === -1 ? found[side] : found[side].slice(0, end)).at(-1)
      if (last) this[side] = [last.created_at, last.id]
    }
  }
}

type Place = readonly [at: string, id: string]
const beginning: Place = ['-infinity', '']

const sides = ['subject', 'object'] as const
type Side = (typeof sides)[number]
type Sides = Readonly<Record<Side, readonly FoundEvent[]>>

interface FoundEvent {
  readonly id: string
  readonly created_at: string
}

interface Found {
  readonly ids: readonly string[]
  /** Those that name the member as subject and as object, in their order. */
  readonly sides: Sides
}

async function findEvents(
  db: Database,
  { organization_id, member_id }: MemberKey,
  means: Pick<Means, 'card_ids' | 'reached' | 'size'>,
): Promise<Found> {
  const { card_ids, reached, size } = means
  const found = new Set<string>()
  const bySide: Record<Side, readonly FoundEvent[]> = { subject: [], object: [] }
  for (const [side, where] of [['subject', bySubject] as const, ['object', byObject] as const]) {
    if (found.size >= size) continue
    const rows = await db.query<FoundEvent>(
      `SELECT id, created_at FROM events WHERE ${where} AND (created_at, id) > ($3::timestamptz, $4) ORDER BY created_at, id LIMIT $5`,
      [organization_id, member_id, ...reached[side], size - found.size],
    )
    bySide[side] = rows
    for (const { id } of rows) found.add(id)
  }
  if (found.size < size && card_ids.length > 0)
    for (const { id } of await db.query<{ id: string }>(
      `SELECT id FROM events WHERE organization_id = $1 AND (object->>'card_id') = ANY($2::text[]) AND (object->>'type') = 'card'
         AND NOT is_unlinked ORDER BY created_at, id LIMIT $3`,
      [organization_id, card_ids, size - found.size],
    ))
      found.add(id)
  if (found.size < size)
    for (const { id } of await db.query<{ id: string }>(
      `SELECT id FROM events WHERE ${byChange} ORDER BY created_at, id LIMIT $3`,
      [organization_id, member_id, size - found.size],
    ))
      found.add(id)
  if (found.size > 0 || reached.is_beginning) return { ids: [...found], sides: bySide }
  reached.restart()
  return findEvents(db, { organization_id, member_id }, means)
}

export async function countEvents(db: Database, { organization_id, member_id }: MemberKey): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM (
       (SELECT id FROM events WHERE ${bySubject} LIMIT 1000000) UNION (SELECT id FROM events WHERE ${byObject} LIMIT 1000000)) AS found`,
    [organization_id, member_id],
  )
  return row?.count ?? 0
}

/** What the member did at doors, and was denied. */
function isAccess({ verb, subject, object }: EventColumns, memberId: string): boolean {
  return (
    subject.member_id === memberId &&
    ((verb === 'use' && object.type === 'gadget_action') || object.type === 'access_denial')
  )
}
