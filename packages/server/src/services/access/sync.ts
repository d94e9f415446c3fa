import type { MemberSync, Resources, StoredOf, SyncItem } from '@gatehouse-access/api'
import { addSeconds, type Steps } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { loadModes } from '../../devices/modes/read-modes.ts'
import { devicesByGroup, incompleteByGroup } from '../../devices/policy/concerned.ts'
import { type Coverage, indexCoverage } from '../../devices/policy/coverage.ts'
import { loadPlaces, type Places } from '../../devices/policy/places.ts'
import { viewOf } from '../../devices/slices/organization.ts'
import { inSlices } from '../../flow/slices.ts'
import type { InputOf } from '../objects/action.ts'
import { getObject } from '../objects/objects.ts'
import { findArrivals, findLastChanges, type LastChange } from './sync-arrivals.ts'

/** Seconds before the start of a validity from which a door without confirmation is at risk. */
const soon = 3600
const mostListed = 100

type Type = SyncItem['type']
interface SyncedObject {
  readonly type: Type
  readonly id: string
  readonly is_deleted: boolean
  readonly starts_at: string | null
  readonly ends_at: string | null
  /** The devices that need the object. */
  readonly devices: ReadonlySet<string>
  /** Those of them that were not sent some rules that it counts with, because they would misread them. */
  readonly incomplete: ReadonlySet<string>
}

interface Known {
  readonly id: string
  readonly online: boolean
  readonly applied_at: string | null
  /** What its firmware lacks. */
  readonly missing: readonly string[] | null
}

/** What it takes to know which devices need which members of an organization. */
export interface Syncing {
  readonly organization_id: string
  readonly devices: ReadonlyMap<string, Known>
  readonly places: Places
  readonly coverage: Coverage
  readonly view: ReturnType<typeof viewOf>
}

/** `GET /members/{id}/sync`: shows which doors have received which changes. */
export async function showSync({ work, id, target }: InputOf<'member', 'sync'>): Promise<MemberSync> {
  const { db, caller, now } = work
  const member = await getObject(work, target, id)
  const items = await findSyncItems(db, await loadSyncing(db, caller.organization_id), member, now)
  return { member_id: id, state: stateOf(items), at_risk: items.some(item => item.at_risk), items }
}

export async function loadSyncing(db: Database, organization_id: string): Promise<Syncing> {
  const devices = await findDevices(db, organization_id)
  const places = await loadPlaces(db, organization_id)
  const coverage = await inSlices(organization_id, indexCoverage(places))
  const view = viewOf(await loadModes(db, organization_id), places, coverage)
  return { organization_id, devices, places, coverage, view }
}

export async function findSyncItems(
  db: Database,
  syncing: Syncing,
  member: StoredOf<Resources['member']>,
  now: string,
): Promise<SyncItem[]> {
  const { organization_id, devices } = syncing
  const objects = await listSyncedObjects(db, syncing, member)
  const changes = await findLastChanges(db, organization_id, member.id)
  const concerned = new Set<string>()
  for (const known of new Set(objects.map(object => object.devices)))
    for (const id of known) concerned.add(id)
  const arrivals = await findArrivals(db, organization_id, [...changes.values()], [...concerned])
  return inSlices(organization_id, itemsOf(objects, changes, arrivals, devices, now))
}

function* itemsOf(
  objects: readonly SyncedObject[],
  changes: ReadonlyMap<string, LastChange>,
  arrivals: ReadonlyMap<string, ReadonlySet<string>>,
  devices: ReadonlyMap<string, Known>,
  now: string,
): Steps<SyncItem[]> {
  const items: SyncItem[] = []
  for (const object of objects) {
    const key = `${object.type} ${object.id}`
    const item = itemOf(object, changes.get(key), arrivals.get(key) ?? new Set(), devices, now)
    if (!item.is_deleted || item.state === 'pending') items.push(item)
    yield
  }
  return items
}

function stateOf(items: readonly SyncItem[]): SyncItem['state'] {
  if (items.some(({ state }) => state === 'pending')) return 'pending'
  return items.some(({ state }) => state === 'applied') ? 'applied' : 'nowhere'
}

function itemOf(
  object: SyncedObject,
  change: LastChange | undefined,
  arrived: ReadonlySet<string>,
  devices: ReadonlyMap<string, Known>,
  now: string,
): SyncItem {
  const known = [...object.devices].flatMap(id => devices.get(id) ?? [])
  const pending = known.filter(({ id }) => !arrived.has(id) || object.incomplete.has(id))
  const state = known.length === 0 ? 'nowhere' : pending.length > 0 ? 'pending' : 'applied'
  const confirmed = known
    .map(device => device.applied_at ?? '')
    .sort()
    .at(-1)
  const since = state === 'pending' ? change?.created_at : state === 'applied' ? confirmed : undefined
  return {
    type: object.type,
    id: object.id,
    is_deleted: object.is_deleted,
    state,
    devices: known.length,
    applied_devices: known.length - pending.length,
    since: since ?? null,
    at_risk: state === 'pending' && (object.is_deleted || isDue(object, now)),
    pending_devices: pending.slice(0, mostListed).map(({ id, online, applied_at, missing }) => ({
      device_id: id,
      online,
      applied_at,
      missing_capabilities: object.incomplete.has(id) ? [...(missing ?? [])] : [],
    })),
  }
}

function isDue({ starts_at, ends_at }: SyncedObject, now: string): boolean {
  return (starts_at ?? '') <= addSeconds(now, soon) && (ends_at === null || ends_at > now)
}

/** Returns the devices that connect themselves. Virtual devices read the policy directly. */
async function findDevices(db: Database, organizationId: string): Promise<Map<string, Known>> {
  const rows = await db.query<Known>(
    `SELECT d.id, coalesce((d.status->>'online')::boolean, false) AS online, p.applied_at,
       d.status->'missing_capabilities' AS missing FROM devices d
     LEFT JOIN device_policies p ON p.organization_id = d.organization_id AND p.device_id = d.id
     WHERE d.organization_id = $1 AND NOT d.is_deleted AND d.hardware_id IS NOT NULL`,
    [organizationId],
  )
  return new Map(rows.map(row => [row.id, row]))
}

interface Association {
  readonly id: string
  readonly is_deleted: boolean
  readonly member_group_id: string
  readonly starts_at: string | null
  readonly ends_at: string | null
}

function findAssociations(db: Database, organizationId: string, memberId: string): Promise<Association[]> {
  return db.query<Association>(
    `SELECT id, is_deleted, member_group_id, starts_at, ends_at FROM member_group_associations
     WHERE organization_id = $1 AND member_id = $2 ORDER BY id`,
    [organizationId, memberId],
  )
}

async function listSyncedObjects(
  db: Database,
  { organization_id: organizationId, devices, places, coverage, view }: Syncing,
  member: StoredOf<Resources['member']>,
): Promise<SyncedObject[]> {
  const credentials = (table: 'member_pins' | 'member_cards') =>
    db.query<{ id: string; is_deleted: boolean }>(
      `SELECT id, is_deleted FROM ${table} WHERE organization_id = $1 AND member_id = $2 ORDER BY id`,
      [organizationId, member.id],
    )
  const [associations, pins, cards] = await Promise.all([
    findAssociations(db, organizationId, member.id),
    credentials('member_pins'),
    credentials('member_cards'),
  ])
  const byGroup = await inSlices(
    organizationId,
    devicesByGroup(places, coverage, new Set(associations.map(row => row.member_group_id)), devices),
  )
  const organization = { places, coverage, view }
  const incomplete = await inSlices(organizationId, incompleteByGroup(organization, byGroup, devices))
  const counting = associations.filter(row => !row.is_deleted || member.is_deleted)
  const all = new Set<string>()
  const allIncomplete = new Set<string>()
  for (const group of new Set(counting.map(row => row.member_group_id))) {
    for (const id of byGroup.get(group) ?? []) all.add(id)
    for (const id of incomplete.get(group) ?? []) allIncomplete.add(id)
  }
  const withKeypad = new Set([...all].filter(id => isAble(places, id, 'pin')))
  const withReader = new Set([...all].filter(id => isAble(places, id, 'nfc')))
  const { starts_at, ends_at } = member
  const dates = { starts_at, ends_at }
  const credential =
    (type: Type, able: ReadonlySet<string>) => (row: { id: string; is_deleted: boolean }) => ({
      type,
      id: row.id,
      is_deleted: row.is_deleted,
      ...dates,
      devices: able,
      incomplete: allIncomplete,
    })
  return [
    {
      type: 'member',
      id: member.id,
      is_deleted: member.is_deleted,
      ...dates,
      devices: all,
      incomplete: allIncomplete,
    },
    ...associations.map(row => ({
      type: 'member_group_association' as const,
      id: row.id,
      is_deleted: row.is_deleted,
      starts_at: later(row.starts_at, dates.starts_at),
      ends_at: earlier(row.ends_at, dates.ends_at),
      devices: byGroup.get(row.member_group_id) ?? new Set<string>(),
      incomplete: incomplete.get(row.member_group_id) ?? new Set<string>(),
    })),
    ...pins.map(credential('member_pin', withKeypad)),
    ...cards.map(credential('member_card', withReader)),
  ]
}

function isAble({ devices }: Places, id: string, able: 'pin' | 'nfc'): boolean {
  return devices.get(id)?.capabilities[able] === true
}

function earlier(first: string | null, second: string | null): string | null {
  if (first === null || second === null) return first ?? second
  return first < second ? first : second
}

function later(first: string | null, second: string | null): string | null {
  return (first ?? '') > (second ?? '') ? first : second
}
