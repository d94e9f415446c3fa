import type { EventObject } from '@gatehouse/api'
import type { Database } from '../../database/db.ts'
import { isAfterMoment, type Moment, momentOf, presentMoment } from '../../database/moment.ts'
import { type PlaceKind, placeKindOf } from './places.ts'

/** What has changed in one organization. */
export interface Changes {
  readonly places: { readonly kind: PlaceKind; readonly id: string }[]
  readonly members: Set<string>
  /** Cards whose holders are affected. */
  readonly cards: Set<string>
  /** Devices whose right to be connected has to be looked at again. */
  readonly devices: Set<string>
  /** The organization itself was deleted or restored. */
  is_organization_changed: boolean
}

const memberTypes = ['member', 'member_group_association', 'member_pin', 'member_card']
/** Passes end with them. New ones change nothing for a device. */
const phoneTypes = ['member_magic_link', 'member_email', 'member_token']
const types = [...Object.keys(placeKindOf), ...memberTypes, ...phoneTypes, 'card', 'hardware', 'organization']
const verbs = ['create', 'edit', 'delete']

/**
 * What some organizations have committed since a moment, in one indexed read, and the present one. It is asked many times a
 * second, and planning it would take ten times as long as the read: so the planner sees no values, for which it would plan
 * anew, and one index to choose from.
 */
export async function findChanges(
  db: Database,
  organizations: readonly string[],
  since: Moment,
  limit = 1_000_000,
): Promise<{ moment: Moment; changes: Map<string, Changes>; is_complete: boolean }> {
  const rows = await db.query<Moment & { organization_id: string | null; object: EventObject }>(
    `WITH later AS MATERIALIZED (
       SELECT e.organization_id, e.verb, e.object FROM events e WHERE ${isAfterMoment('(SELECT $1::integer)', '(SELECT $2::pg_snapshot)')}
       ORDER BY e.epoch, e.transaction_id, e.sequence)
     SELECT now.epoch, now.snapshot, e.organization_id, e.object FROM (SELECT ${presentMoment}) now LEFT JOIN later e
       ON e.verb = ANY((SELECT $3::text[])::text[]) AND e.object->>'type' = ANY((SELECT $4::text[])::text[])
       AND NOT (e.verb = 'create' AND e.object->>'type' = ANY((SELECT $6::text[])::text[]))
       AND e.organization_id = ANY((SELECT $5::text[])::text[]) LIMIT ${limit + 1}`,
    [since.epoch, since.snapshot, verbs, types, organizations, phoneTypes],
  )
  const changes = new Map<string, Changes>()
  for (const { organization_id, object } of rows)
    if (organization_id !== null) note(changesOf(changes, organization_id), object)
  const moment = momentOf(rows[0] as Moment)
  return { moment, changes, is_complete: rows.length <= limit }
}

function changesOf(all: Map<string, Changes>, organizationId: string): Changes {
  const known = all.get(organizationId)
  if (known) return known
  const made: Changes = {
    places: [],
    members: new Set(),
    cards: new Set(),
    devices: new Set(),
    is_organization_changed: false,
  }
  all.set(organizationId, made)
  return made
}

function note(changes: Changes, object: EventObject): void {
  const { type, member_id, card_id, device_id } = object
  const kind = placeKindOf[type]
  if (kind) changes.places.push({ kind, id: object[`${type}_id` as 'device_id'] as string })
  if ((type === 'device' || type === 'hardware') && device_id) changes.devices.add(device_id)
  if ((memberTypes.includes(type) || phoneTypes.includes(type)) && member_id) changes.members.add(member_id)
  if (type === 'card' && card_id) changes.cards.add(card_id)
  if (type === 'organization') changes.is_organization_changed = true
}

/** All members that changed, holders of changed cards included. */
export async function changedMembers(
  db: Database,
  organizationId: string,
  { members, cards }: Changes,
): Promise<string[]> {
  if (cards.size === 0) return [...members]
  const rows = await db.query<{ member_id: string }>(
    'SELECT DISTINCT member_id FROM member_cards WHERE organization_id = $1 AND card_id = ANY($2::text[])',
    [organizationId, [...cards]],
  )
  return [...new Set([...members, ...rows.map(row => row.member_id)])]
}
