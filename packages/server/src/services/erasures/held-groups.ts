import { capabilityNames } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { isAfterMoment } from '../../database/moment.ts'
import { groupsFor, targetsOf } from '../../devices/policy/coverage.ts'
import type { Places } from '../../devices/policy/places.ts'
import type { MemberKey } from '../../erasing/erase-rows.ts'
import { inSlices } from '../../flow/slices.ts'
import { mostChanges } from '../../policy/changes.ts'
import { loadSyncing, type Syncing } from '../access/sync.ts'

/** A group that a device was sent with a member in it. */
interface Sent {
  readonly device_id: string
  readonly member_group_id: string
}

/** One that the device is not sent today, and every group that it inherits. */
interface Left {
  readonly device_id: string
  readonly reached: readonly string[]
}

/**
 * Returns the controllers whose applied policy may hold a member by one of its groups. Nothing stores who is in the policy of a
 * controller. So a group that one was ever sent counts, until it is certain that the controller has lost it: whoever is not
 * counted cannot open its doors.
 */
export async function findHoldingGroups(db: Database, member: MemberKey): Promise<Set<string>> {
  const sent = await findSent(db, member)
  if (sent.length === 0) return new Set()
  const syncing = await loadSyncing(db, member.organization_id)
  const left = await inSlices(member.organization_id, leftOf(syncing, sent))
  const kept = await findNotLost(db, member.organization_id, [...left.values()].flat())
  return new Set(sent.flatMap(({ device_id: id }) => (left.has(id) && !kept.has(id) ? [] : [id])))
}

/** Seconds by which the clocks of two processes may differ. */
const skew = 60
const ofAssociation = `e.organization_id = $1 AND (e.object->>'member_id') = $2 AND (e.object->>'type') = 'member_group_association'
  AND (e.object->>'member_group_association_id') = a.id AND e.touches_policy`

/**
 * Leaves out associations that are newer than all that the device was sent, and those whose deletion it has confirmed. What was
 * sent may be applied, also if the device never confirmed it. Members in a snapshot may be newer than its moment, but not than
 * the time at which it was stored. A version without a hash is none that was sent: before, the device may have had any.
 */
function findSent(db: Database, { organization_id, member_id }: MemberKey): Promise<Sent[]> {
  return db.query<Sent & object>(
    `SELECT DISTINCT g.device_id, g.member_group_id FROM member_group_associations a
     JOIN device_groups g ON g.organization_id = $1 AND g.member_group_id = a.member_group_id
     JOIN devices d ON d.organization_id = $1 AND d.id = g.device_id AND NOT d.is_deleted AND d.hardware_id IS NOT NULL
     JOIN device_policies p ON p.organization_id = $1 AND p.device_id = g.device_id AND p.version > 0
     WHERE a.organization_id = $1 AND a.member_id = $2
       AND NOT (p.hash IS NOT NULL AND p.snapshot IS NOT NULL AND a.created_at > p.changed_at + make_interval(secs => ${skew}) AND EXISTS (
         SELECT 1 FROM events e WHERE ${ofAssociation} AND e.verb = 'create' AND ${isAfterMoment('p.epoch', 'p.snapshot')}))
       AND NOT (a.is_deleted AND p.applied_snapshot IS NOT NULL AND coalesce((
         SELECT e.verb = 'delete' AND NOT (${isAfterMoment('p.applied_epoch', 'p.applied_snapshot')}) FROM events e WHERE ${ofAssociation}
         ORDER BY e.epoch DESC, e.transaction_id DESC, e.sequence DESC LIMIT 1), false))`,
    [organization_id, member_id],
  )
}

const everything = new Set(capabilityNames)

/** Returns, of each device that is sent none of the groups today, those that it had. */
function* leftOf({ places, coverage, view }: Syncing, sent: readonly Sent[]): Steps<Map<string, Left[]>> {
  const left = new Map<string, Left[]>()
  for (const [device_id, rows] of Map.groupBy(sent, row => row.device_id)) {
    const groups = new Set(rows.map(row => row.member_group_id))
    const targets = targetsOf(places, coverage, device_id)
    const granting = yield* groupsFor(places, coverage, targets, { only: groups })
    const needs = yield* view.needsOf(device_id, everything, targets)
    const isSent = (id: string) => granting.has(id) || (needs.groups.has(id) && places.groups.has(id))
    if (![...groups].some(isSent))
      left.set(
        device_id,
        [...groups].map(id => ({ device_id, reached: reachedFrom(places, id) })),
      )
    yield
  }
  return left
}

function reachedFrom({ groups }: Places, first: string): string[] {
  const reached = new Set([first])
  for (const id of reached)
    for (const { member_group_id } of groups.get(id)?.permissions ?? [])
      if (member_group_id) reached.add(member_group_id)
  return [...reached]
}

/** What can take a group from a device, beside the group and those that it inherits. Whatever is created takes nothing. */
const placeTypes = [
  'device',
  'emergency',
  'emergency_plan',
  'gadget',
  'gadget_trigger',
  'hardware',
  'site',
  'tag',
  'unlock_rule',
]

/**
 * Returns the devices that may still have such a group: something has changed, since the version that they confirmed, by which
 * they may have lost it. If nothing has, that version is already without it. With more changes than can be looked at, a device
 * counts.
 */
async function findNotLost(
  db: Database,
  organizationId: string,
  left: readonly Left[],
): Promise<ReadonlySet<string>> {
  if (left.length === 0) return new Set()
  const rows = await db.query<{ device_id: string }>(
    `SELECT DISTINCT p.device_id FROM jsonb_to_recordset($2::jsonb) AS l(device_id text, reached jsonb)
     JOIN device_policies p ON p.organization_id = $1 AND p.device_id = l.device_id
     WHERE p.applied_snapshot IS NULL OR EXISTS (
       SELECT 1 FROM (SELECT e.verb, e.touches_policy, e.object, row_number() OVER () AS place FROM events e
         WHERE e.organization_id = $1 AND ${isAfterMoment('p.applied_epoch', 'p.applied_snapshot')} LIMIT ${mostChanges}) c
       WHERE c.place = ${mostChanges} OR (c.verb IN ('edit', 'delete') AND c.touches_policy
         AND (c.object->>'type' = ANY($3::text[]) OR (c.object->>'type' = 'member_group' AND l.reached ? (c.object->>'member_group_id')))))`,
    [organizationId, left, placeTypes],
  )
  return new Set(rows.map(({ device_id }) => device_id))
}
