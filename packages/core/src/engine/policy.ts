import type { ZoneTable } from '../zone-table.ts'
import { type Associations, createAssociations, putAssociation } from './associations.ts'
import { type Credentials, createCredentials, findCredential, putCredential } from './credentials.ts'
import { putCalendar, putCalendarDay, settleCalendars } from './days/calendars.ts'
import {
  createModes,
  endCalm,
  type Modes,
  putDoor,
  putEmergency,
  putFire,
  putOverride,
  putUnlockRule,
} from './doors/modes.ts'
import { createGadgets, type Gadgets, putGadget } from './gadgets.ts'
import { createGroups, type Groups, groupCell, putGroup } from './groups.ts'
import { countDepths } from './inheritance.ts'
import { createMembers, type Members, numberMember, putMember } from './members.ts'
import {
  createPlaces,
  deviceNumber,
  type FindZoneTable,
  type Places,
  putDevice,
  putSite,
  putZoneTable,
} from './places.ts'
import type {
  AssociationRow,
  CredentialRow,
  DeviceRow,
  GadgetRow,
  MemberRow,
  PolicyRows,
  SiteRow,
} from './policy-rows.ts'
import { putSchedule } from './schedules.ts'
import { finish, type Steps } from './steps.ts'
import { createSuspensions, putSuspension, type Suspensions } from './suspensions.ts'

/** The compiled policy of one organization. Only `applyChange` and `applySteps` change its answers. */
export interface Policy {
  places: Places
  gadgets: Gadgets
  groups: Groups
  members: Members
  associations: Associations
  credentials: Credentials
  modes: Modes
  suspensions: Suspensions
}

export type PolicyKind = keyof PolicyRows
export type PolicyRow<Kind extends PolicyKind> = NonNullable<PolicyRows[Kind]>[number]

const changes: { [Kind in PolicyKind]: (policy: Policy, row: PolicyRow<Kind>) => void } = {
  sites: applySite,
  devices: applyDevice,
  gadgets: applyGadget,
  schedules: ({ places }, row) => putSchedule(places, row),
  groups: (policy, row) => putGroup(policy.groups, policy, row),
  members: applyMember,
  associations: applyAssociation,
  credentials: applyCredential,
  calendars: ({ places }, row) => putCalendar(places, row),
  calendar_days: ({ places }, row) => putCalendarDay(places, row),
  unlock_rules: putUnlockRule,
  overrides: putOverride,
  emergencies: putEmergency,
}

/** In the order that compiles fastest. */
export const policyKinds = Object.keys(changes) as PolicyKind[]

/** The expected number of rows per kind, where known. A column that has to grow later is copied. */
export type PolicySize = Partial<Record<PolicyKind, number>>

export interface PolicyOptions {
  /** Asked once for every zone, when a site first names it. */
  zoneTable?: FindZoneTable
}

/** Creates an empty policy with capacity for the given number of rows. */
export function createPolicy(size: PolicySize = {}, { zoneTable }: PolicyOptions = {}): Policy {
  return {
    places: createPlaces(zoneTable),
    gadgets: createGadgets(size.gadgets ?? 0),
    groups: createGroups(),
    members: createMembers(size.members ?? 0),
    associations: createAssociations(size.associations ?? 0),
    credentials: createCredentials(size.credentials ?? 0),
    modes: createModes(),
    suspensions: createSuspensions(),
  }
}

/** Compiles by applying the rows one by one, so that a delta and a fresh compile cannot disagree. */
export function compilePolicy(rows: PolicyRows, options?: PolicyOptions): Policy {
  const size = policyKinds.map(kind => [kind, rows[kind]?.length ?? 0])
  const policy = createPolicy(Object.fromEntries(size), options)
  for (const kind of policyKinds) finish(applySteps(policy, kind, rows[kind] ?? []))
  return policy
}

/** Makes a table rule over the runtime's zone data, or again the runtime's data if it is null. */
export function setZoneTable({ modes, places }: Policy, name: string, table: ZoneTable | null): void {
  putZoneTable(places, name, table)
  endCalm(modes)
  modes.edition++
}

/** Writes the newest state of one object. A deleted object has `is_deleted` set. */
export function applyChange<Kind extends PolicyKind>(policy: Policy, kind: Kind, row: PolicyRow<Kind>): void {
  if (!lastingKinds.has(kind)) endCalm(policy.modes)
  changes[kind](policy, row)
}

/** Writes many rows. The policy is inconsistent and must not be used until the last step has run. */
export function* applySteps<Kind extends PolicyKind>(
  policy: Policy,
  kind: Kind,
  rows: readonly PolicyRow<Kind>[],
): Steps<void> {
  if (!lastingKinds.has(kind)) endCalm(policy.modes)
  const pause = largeRows.has(kind) ? 1 : smallRowsAStep
  for (const [index, row] of rows.entries()) {
    if (index % pause === 0) yield
    changes[kind](policy, row)
  }
}

/** Computes, in steps, the cached values that the first question would otherwise wait for. */
export function* settleSteps({ groups, places }: Policy): Steps<void> {
  if (groups.are_depths_stale) yield* countDepths(groups)
  yield* settleCalendars(places)
}

/** Kinds whose rows contain lists. */
const largeRows: ReadonlySet<PolicyKind> = new Set([
  'emergencies',
  'gadgets',
  'groups',
  'schedules',
  'sites',
  'unlock_rules',
])
/** Kinds that no mode of a door depends on. */
const lastingKinds: ReadonlySet<PolicyKind> = new Set([
  'associations',
  'credentials',
  'devices',
  'groups',
  'members',
])
const smallRowsAStep = 64

function applySite(policy: Policy, row: SiteRow): void {
  putSite(policy.places, row)
  putFire(policy.modes, row)
}

function applyDevice({ places, suspensions }: Policy, row: DeviceRow): void {
  putDevice(places, row)
  putSuspension(suspensions, 'devices', row, () => deviceNumber(places, row.id))
}

function applyMember({ members, suspensions }: Policy, row: MemberRow): void {
  putMember(members, row)
  putSuspension(suspensions, 'members', row, () => numberMember(members, row.id))
}

function applyGadget(policy: Policy, row: GadgetRow): void {
  putGadget(policy, row)
  putDoor(policy, row)
}

function applyAssociation(policy: Policy, row: AssociationRow): void {
  const member = numberMember(policy.members, row.member_id)
  const group = groupCell(policy.groups, row.member_group_id)
  putAssociation(policy, member, group.number, row)
}

function applyCredential({ credentials, members, suspensions }: Policy, row: CredentialRow): void {
  putCredential(credentials, numberMember(members, row.member_id), row)
  putSuspension(suspensions, 'credentials', row, () => findCredential(credentials, row.id))
}
