import { type EventObject, resourceOf, resources } from '@gatehouse-access/api'
import { personIds } from '../../../audit/amendments/unlink.ts'
import type { Database } from '../../../database/db.ts'
import type { EventColumns } from '../../../events/feed-event.ts'
import { selectList } from '../../../store/columns.ts'

export interface Place {
  readonly created_at: string
  readonly id: string
}
export const beginning: Place = { created_at: '-infinity', id: '' }

/** Returns the next events that name a member, as subject or as object, in the order in which they happened. */
export function readEventsOf(
  db: Database,
  organization_id: string,
  member_id: string,
  { created_at, id }: Place,
  until: string,
  limit: number,
): Promise<EventColumns[]> {
  return db.query<EventColumns>(
    `SELECT DISTINCT ON (t.created_at, t.id) ${selectList(resources.event)} FROM (
       (SELECT * FROM events WHERE organization_id = $1 AND (subject->>'member_id') = $2 AND (created_at, id) > ($3::timestamptz, $4)
          AND recorded_at <= $5 ORDER BY created_at, id LIMIT $6)
       UNION ALL (SELECT * FROM events WHERE organization_id = $1 AND (object->>'member_id') = $2 AND (created_at, id) > ($3::timestamptz, $4)
          AND recorded_at <= $5 ORDER BY created_at, id LIMIT $6)) t ORDER BY t.created_at, t.id LIMIT $6`,
    [organization_id, member_id, created_at, id, until, limit],
  )
}

export type By = 'by_you' | 'by_user' | 'by_application' | 'by_service' | 'by_member'

/** Who acted, as far as a member is told. */
export function actorOf({ subject }: EventColumns, member_id: string): By {
  if (subject.member_id != null) return subject.member_id === member_id ? 'by_you' : 'by_member'
  if (subject.user_id != null) return 'by_user'
  return subject.oauth_application_id != null ? 'by_application' : 'by_service'
}

const roles: Readonly<Record<By, string>> = {
  by_you: 'you',
  by_user: 'an administrator',
  by_application: 'an application',
  by_service: 'the service',
  by_member: 'another person',
}

/** Returns an event as the member is told of it: without anything of another person. */
export function tellEvent(event: EventColumns, member_id: string, doors: ReadonlyMap<string, string>) {
  const { id, created_at, recorded_at, verb, subject, object, explanation, is_unlinked } = event
  const by = actorOf(event, member_id)
  const door = doors.get(object.gadget_id ?? '')
  return {
    id,
    created_at,
    recorded_at,
    by: roles[by],
    verb,
    object: tellObject(object, member_id),
    ...(door !== undefined && { door }),
    ...(by === 'by_you' && ownSubject(subject)),
    ...(explanation && { explanation }),
    ...(is_unlinked && { is_unlinked }),
  }
}

function ownSubject({ access_method, ip_address, client }: EventColumns['subject']) {
  return {
    ...(access_method && { access_method }),
    ...(ip_address && { ip_address }),
    ...(client && { client }),
  }
}

/** Of what belongs to somebody else, and of users and applications, not even the ID is told. */
function tellObject({ changes, ...object }: EventObject, member_id: string): Partial<EventObject> {
  const isOwn = object.member_id == null || object.member_id === member_id
  const told = Object.fromEntries(
    Object.entries(object).filter(
      ([name, value]) =>
        value != null &&
        !['user_id', 'oauth_application_id', 'restored_by', 'name', 'receipt_hash'].includes(name) &&
        (isOwn || !personIds.has(name)),
    ),
  )
  return isOwn && changes
    ? { ...told, changes: changes.map(change => tellChange(object.type, change)) }
    : told
}

type Change = NonNullable<EventObject['changes']>[number]

/** Of who acknowledged an alarm, say, only that it changed. */
function tellChange(type: string, change: Change): Change {
  const target = resourceOf(type)?.fields[change.field]?.type.target
  return target && others.has(target) ? { field: change.field } : change
}

const others: ReadonlySet<string> = new Set(['member', 'user', 'oauth_application'])

/** Returns the names of the doors that events happened at. */
export async function findDoors(
  db: Database,
  organization_id: string,
  events: readonly EventColumns[],
): Promise<Map<string, string>> {
  const ids = new Set(events.flatMap(({ object }) => object.gadget_id ?? []))
  if (ids.size === 0) return new Map()
  const rows = await db.query<{ id: string; name: string }>(
    'SELECT id, name FROM gadgets WHERE organization_id = $1 AND id = ANY($2::text[])',
    [organization_id, [...ids]],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
