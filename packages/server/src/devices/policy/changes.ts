import {
  companionOf,
  passCarriers,
  placeResources,
  type SliceKind,
  sentOfMembers,
} from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import type { Moment } from '../../database/moment.ts'
import { type Change, changesSince } from '../../policy/changes-since.ts'
import type { ChangedModes } from '../modes/read-modes.ts'
import type { ChangedPlace } from './places.ts'

/** The changes in one organization. */
export interface Changes {
  readonly places: ChangedPlace[]
  readonly members: Set<string>
  /** Changed objects that members refer to, by type: cards. */
  readonly companions: Map<string, Set<string>>
  /** Calendars that changed, and days of calendars. */
  readonly calendars: Set<string>
  readonly calendar_days: Set<string>
  readonly unlock_rules: Set<string>
  readonly emergency_plans: Set<string>
  readonly emergencies: Set<string>
  /** Devices whose authorization must be checked again. */
  readonly devices: Set<string>
  /** The organization itself was deleted or restored. */
  is_organization_changed: boolean
}

/** The tables through which members refer to companion objects. */
const companions = sentOfMembers.flatMap(resource => {
  const companion = companionOf(resource)
  return companion ? [{ ...companion, table: resource.table }] : []
})
const companionTypes = new Set<string>(companions.map(({ kind }) => kind))
/** A pass is revoked when its carrier is deleted. A new carrier changes nothing for a device. */
const passTypes = passCarriers.map(({ kind }) => kind)
const memberTypes = new Set<string>([...sentOfMembers.map(({ kind }) => kind), ...passTypes])
const types = [
  ...placeResources.keys(),
  // A deleted tag is taken from its gadgets, and a restored one given back, without events of theirs.
  'tag',
  ...memberTypes,
  ...companionTypes,
  'calendar',
  'calendar_day',
  'unlock_rule',
  'emergency_plan',
  'emergency',
  'hardware',
  'organization',
]

/** Returns the changes relevant to devices that these organizations committed since a moment. */
export async function findChanges(
  db: Database,
  organizations: readonly string[],
  since: Moment,
  limit = 1_000_000,
): Promise<{ moment: Moment; changes: Map<string, Changes>; is_complete: boolean }> {
  const wanted = { organizations, is_for_devices: true, since }
  const found = await changesSince(db, { ...wanted, types, quiet_at_birth: [...passTypes, 'tag'], limit })
  const changes = new Map<string, Changes>()
  for (const change of found.changes) note(changesOf(changes, change.organization_id), change)
  return { ...found, changes }
}

function changesOf(all: Map<string, Changes>, organizationId: string): Changes {
  const known = all.get(organizationId)
  if (known) return known
  const made = noneChanged()
  all.set(organizationId, made)
  return made
}

export function noneChanged(): Changes {
  return {
    places: [],
    members: new Set(),
    companions: new Map(),
    calendars: new Set(),
    calendar_days: new Set(),
    unlock_rules: new Set(),
    emergency_plans: new Set(),
    emergencies: new Set(),
    devices: new Set(),
    is_organization_changed: false,
  }
}

/** Adds other changes of the same organization. */
export function addChanges(to: Changes, changes: Changes): void {
  for (const place of changes.places) to.places.push(place)
  for (const name of ofIds) for (const id of changes[name]) to[name].add(id)
  for (const [kind, ids] of changes.companions)
    to.companions.set(kind, ids.union(to.companions.get(kind) ?? ids))
  to.is_organization_changed ||= changes.is_organization_changed
}

const ofIds = [
  'members',
  'calendars',
  'calendar_days',
  'unlock_rules',
  'emergency_plans',
  'emergencies',
  'devices',
] as const

function note(changes: Changes, { type, id, member_id, device_id }: Change): void {
  if ((placeResources.has(type) || type === 'tag') && id) changes.places.push({ type, id })
  if ((type === 'device' || type === 'hardware') && device_id) changes.devices.add(device_id)
  if (memberTypes.has(type) && member_id) changes.members.add(member_id)
  if (companionTypes.has(type) && id)
    changes.companions.set(type, (changes.companions.get(type) ?? new Set()).add(id))
  if (type === 'calendar' && id) changes.calendars.add(id)
  if (type === 'calendar_day' && id) changes.calendar_days.add(id)
  if (type === 'unlock_rule' && id) changes.unlock_rules.add(id)
  if (type === 'emergency_plan' && id) changes.emergency_plans.add(id)
  if (type === 'emergency' && id) changes.emergencies.add(id)
  if (type === 'organization') changes.is_organization_changed = true
}

/** Returns all changed members, including holders of changed cards. */
export async function changedMembers(
  db: Database,
  organizationId: string,
  changes: Changes,
): Promise<string[]> {
  const members = new Set(changes.members)
  for (const { kind, table, field } of companions) {
    const ids = changes.companions.get(kind)
    if (!ids) continue
    const rows = await db.query<{ member_id: string }>(
      `SELECT DISTINCT member_id FROM ${table} WHERE organization_id = $1 AND ${field} = ANY($2::text[])`,
      [organizationId, [...ids]],
    )
    for (const { member_id } of rows) members.add(member_id)
  }
  return [...members]
}

/** Whether the special days of a site may be others now: of its calendars, or because it observes others. */
export function concernsDays({ places, calendars, calendar_days }: Changes): boolean {
  return calendars.size > 0 || calendar_days.size > 0 || places.some(({ type }) => type === 'site')
}

/** Returns what may set other modes now, except emergencies. The override of a door counts as a change of its gadget. */
export function changedModes({ places, unlock_rules, emergency_plans }: Changes): ChangedModes {
  const named = (kind: string) => new Set(places.filter(({ type }) => type === kind).map(({ id }) => id))
  return { unlock_rules, emergency_plans, gadgets: named('gadget'), sites: named('site') }
}

/** Returns the rows that set modes and may be gone, by `kind id`. */
export function staleModes(changes: Changes): string[] {
  const { unlock_rules, emergency_plans, gadgets } = changedModes(changes)
  const keys = (kind: SliceKind, ids: Iterable<string>) => [...ids].map(id => `${kind} ${id}`)
  return [
    ...keys('unlock_rules', unlock_rules),
    ...keys('emergency_plans', emergency_plans),
    ...keys('emergencies', changes.emergencies),
    ...keys('overrides', gadgets),
  ]
}
