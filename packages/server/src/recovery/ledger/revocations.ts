import type { EventObject } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { formatPosition, isLater, type Position, parsePosition } from '../../events/position.ts'

/**
 * What happened to an object: `deleted`, `restored` (the deletion was undone), `changed` (a member or membership
 * was ended, a member or credential suspended, a webhook or notification target changed), `noted` (changed otherwise: most changes take nothing away, and a suspension
 * would), `secret` (a device got another secret, or none), `mode` (somebody set the mode of a gadget, or that ended).
 */
export type How = 'deleted' | 'restored' | 'changed' | 'noted' | 'secret' | 'mode'

export interface Revocation {
  readonly organization_id: string
  readonly object_id: string
  readonly how: How
  /** When the event was recorded, in microseconds: identifies the event among those of the object. */
  readonly at: string
}

type Changed = Exclude<How, 'deleted' | 'restored' | 'secret'>

/** The event types that the ledger reads, and what an edit of each means. Undefined: an edit revokes nothing. */
const kinds: Readonly<Record<string, Changed | undefined>> = {
  webhook: 'changed',
  notification_target: 'changed',
  gadget: 'mode',
  emergency: 'changed',
  member: 'noted',
  member_group_association: 'noted',
  member_group: 'noted',
  schedule: 'noted',
  user: 'noted',
  member_email: undefined,
  member_magic_link: undefined,
  member_pin: undefined,
  member_card: undefined,
  member_token: undefined,
  card: undefined,
  device: undefined,
  hardware: undefined,
  invitation: undefined,
}

export interface Found {
  readonly revocations: Revocation[]
  /** Undefined if there are no more. */
  readonly last: string | undefined
}

/** Events that are looked through at once: most revoke nothing, and after a large import there are hundreds of thousands. */
const mostEvents = 10_000

/**
 * Reads the revocations after a position of the feed, up to and including another, or through 10,000 events. Any event below a position
 * that the feed has reached is committed, so nothing is skipped, however often a reader starts again.
 */
export async function readRevocations(
  db: Database,
  after: string,
  until: string | undefined,
  limit: number,
): Promise<Found> {
  const from = parsePosition(after)
  const end = until === undefined ? last_position : parsePosition(until)
  const through = await findEvent(db, from, end, mostEvents)
  // The limit within has PostgreSQL read by the index of the feed. It leaves room for events that were committed since `through` was found.
  const rows = await db.query<EventRow>(
    `SELECT t.organization_id, t.verb, t.object, t.recorded_at, t.epoch, t.transaction_id::text AS transaction_id, t.sequence,
       (${isEnded('members', 'member_id')} OR ${isEnded('member_group_associations', 'member_group_association_id')}) AS is_ended,
       (${isSuspended('member')} OR ${isSuspended('member_email')} OR ${isSuspended('member_magic_link')} OR ${isSuspended('member_pin')}
         OR ${isSuspended('member_card')} OR ${isSuspended('member_token')}) AS is_suspended
     FROM (SELECT * FROM events t WHERE ${isBetween} ORDER BY t.epoch, t.transaction_id, t.sequence LIMIT ${2 * mostEvents}) t
     WHERE t.verb IN ('delete', 'edit', 'create') AND t.object->>'type' = ANY($7::text[])
       AND CASE t.verb WHEN 'edit' THEN t.touches_policy OR t.object->>'type' IN ('webhook', 'notification_target')
         WHEN 'create' THEN t.object->>'type' IN ('hardware', 'user') ELSE true END
       AND (t.object->>'type' NOT IN ('gadget', 'emergency') OR t.object->>'reason' IN ('mode_set', 'mode_ended', 'ended'))
     ORDER BY t.epoch, t.transaction_id, t.sequence LIMIT $8`,
    [...valuesOf(from), ...valuesOf(through ?? end), Object.keys(kinds), limit],
  )
  const last = rows.length < limit ? through : rows.at(-1)
  return { revocations: rows.flatMap(toRevocation), last: last && formatPosition(last) }
}

const isBetween = `${isLater} AND t.epoch > 0
       AND (t.epoch, t.transaction_id, t.sequence) <= ($4::integer, $5::xid8, $6::bigint)`

function valuesOf({ epoch, transaction_id, sequence }: Position): (string | number)[] {
  return [epoch, transaction_id, sequence]
}

/** Returns the position of the nth event after one and up to another, if there are so many. */
async function findEvent(
  db: Database,
  from: Position,
  to: Position,
  nth: number,
): Promise<Position | undefined> {
  const [found] = await db.query<Position>(
    `SELECT t.epoch, t.transaction_id::text AS transaction_id, t.sequence FROM events t WHERE ${isBetween}
     ORDER BY t.epoch, t.transaction_id, t.sequence LIMIT 1 OFFSET $7`,
    [...valuesOf(from), ...valuesOf(to), nth - 1],
  )
  return found
}

/** Whether the object of an edit is over at once, or within the hour. */
function isEnded(table: string, id: string): string {
  return `EXISTS (SELECT 1 FROM ${table} o WHERE t.verb = 'edit' AND o.organization_id = t.organization_id AND o.id = t.object->>'${id}'
    AND o.ends_at <= t.recorded_at + interval '1 hour')`
}

/** Whether the object of an edit is suspended. */
function isSuspended(kind: string): string {
  return `EXISTS (SELECT 1 FROM ${kind}s o WHERE t.verb = 'edit' AND t.object->>'type' = '${kind}' AND o.organization_id = t.organization_id
    AND o.id = t.object->>'${kind}_id' AND o.is_suspended)`
}

const last_position: Position = {
  epoch: 2 ** 31 - 1,
  transaction_id: '18446744073709551615',
  sequence: '9223372036854775807',
}

interface EventRow extends Position {
  readonly organization_id: string
  readonly verb: string
  readonly object: EventObject
  readonly recorded_at: string
  readonly is_ended: boolean
  readonly is_suspended: boolean
}

function toRevocation(row: EventRow): Revocation[] {
  const { organization_id, object, recorded_at: at } = row
  const { type } = object
  const object_id = new Map(Object.entries(object)).get(type === 'hardware' ? 'device_id' : `${type}_id`)
  const how = howOf(row)
  return how && typeof object_id === 'string' ? [{ organization_id, object_id, how, at }] : []
}

function howOf({ verb, object: { type, reason }, is_ended, is_suspended }: EventRow): How | undefined {
  if (type === 'hardware') return 'secret'
  if (verb === 'delete') return 'deleted'
  if (verb === 'create' || reason === 'restored') return 'restored'
  if (is_suspended) return 'changed'
  return is_ended && isTimed(type) ? 'changed' : kinds[type]
}

function isTimed(type: string): boolean {
  return type === 'member' || type === 'member_group_association'
}
