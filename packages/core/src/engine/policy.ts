import { type Associations, createAssociations, putAssociation } from './associations.ts'
import { type Credentials, createCredentials, putCredential } from './credentials.ts'
import { createGadgets, type Gadgets, putGadget } from './gadgets.ts'
import { createGroups, type Groups, groupCell, putGroup } from './groups.ts'
import { countDepths } from './inheritance.ts'
import { createMembers, type Members, numberMember, putMember } from './members.ts'
import { createPlaces, type Places, putDevice, putSite } from './places.ts'
import type { AssociationRow, CredentialRow, PolicyRows } from './policy-rows.ts'
import { putSchedule } from './schedules.ts'
import { finish, type Steps } from './steps.ts'

/** The compiled policy of one organization. Only `applyChange` and `applySteps` change its answers. */
export interface Policy {
  places: Places
  gadgets: Gadgets
  groups: Groups
  members: Members
  associations: Associations
  credentials: Credentials
}

export type PolicyKind = keyof PolicyRows
export type PolicyRow<Kind extends PolicyKind> = PolicyRows[Kind][number]

const changes: { [Kind in PolicyKind]: (policy: Policy, row: PolicyRow<Kind>) => void } = {
  sites: ({ places }, row) => putSite(places, row),
  devices: ({ places }, row) => putDevice(places, row),
  gadgets: putGadget,
  schedules: ({ places }, row) => putSchedule(places, row),
  groups: (policy, row) => putGroup(policy.groups, policy, row),
  members: ({ members }, row) => putMember(members, row),
  associations: applyAssociation,
  credentials: applyCredential,
}

/** In the order that compiles fastest. */
export const policyKinds = Object.keys(changes) as PolicyKind[]

/** The expected number of rows per kind, where known. A column that has to grow later is copied. */
export type PolicySize = Partial<Record<PolicyKind, number>>

/** Creates an empty policy with capacity for the given number of rows. */
export function createPolicy(size: PolicySize = {}): Policy {
  return {
    places: createPlaces(),
    gadgets: createGadgets(size.gadgets ?? 0),
    groups: createGroups(),
    members: createMembers(size.members ?? 0),
    associations: createAssociations(size.associations ?? 0),
    credentials: createCredentials(size.credentials ?? 0),
  }
}

/** Compiles by applying the rows one by one, so that a delta and a fresh compile cannot disagree. */
export function compilePolicy(rows: PolicyRows): Policy {
  const policy = createPolicy(Object.fromEntries(policyKinds.map(kind => [kind, rows[kind].length])))
  for (const kind of policyKinds) finish(applySteps(policy, kind, rows[kind]))
  return policy
}

/** Writes the newest state of one object. A deleted object has `is_deleted` set. */
export function applyChange<Kind extends PolicyKind>(policy: Policy, kind: Kind, row: PolicyRow<Kind>): void {
  changes[kind](policy, row)
}

/** Writes many rows. The policy is inconsistent and must not be used until the last step has run. */
export function* applySteps<Kind extends PolicyKind>(
  policy: Policy,
  kind: Kind,
  rows: readonly PolicyRow<Kind>[],
): Steps<void> {
  const pause = largeRows.has(kind) ? 1 : smallRowsAStep
  for (const [index, row] of rows.entries()) {
    if (index % pause === 0) yield
    changes[kind](policy, row)
  }
}

/** Computes, in steps, the cached values that the first question would otherwise wait for. */
export function* settleSteps({ groups }: Policy): Steps<void> {
  if (groups.are_depths_stale) yield* countDepths(groups)
}

/** Kinds whose rows contain lists. */
const largeRows: ReadonlySet<PolicyKind> = new Set(['gadgets', 'groups', 'schedules'])
const smallRowsAStep = 64

function applyAssociation(policy: Policy, row: AssociationRow): void {
  const member = numberMember(policy.members, row.member_id)
  const group = groupCell(policy.groups, row.member_group_id)
  putAssociation(policy, member, group.number, row)
}

function applyCredential({ credentials, members }: Policy, row: CredentialRow): void {
  putCredential(credentials, numberMember(members, row.member_id), row)
}
