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

/** One organization's compiled policy. Only `applyChange` changes what it answers. */
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

/** In the order in which they compile fastest. */
export const policyKinds = Object.keys(changes) as PolicyKind[]

/** How many rows of each kind will come, as far as that is known: what is given more room later is copied. */
export type PolicySize = Partial<Record<PolicyKind, number>>

/** An empty policy, with room for rows. */
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

/** A compiled policy is its rows applied one by one, so a delta and a fresh compile cannot disagree. */
export function compilePolicy(rows: PolicyRows): Policy {
  const policy = createPolicy(Object.fromEntries(policyKinds.map(kind => [kind, rows[kind].length])))
  for (const kind of policyKinds) finish(applySteps(policy, kind, rows[kind]))
  return policy
}

/** Puts the newest state of one object; a deleted one comes with `is_deleted`. */
export function applyChange<Kind extends PolicyKind>(policy: Policy, kind: Kind, row: PolicyRow<Kind>): void {
  changes[kind](policy, row)
}

/** Puts many. Until the last step is done the policy holds half of a change and must not be used. */
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

/** Works out in steps what the first question would have to wait for. */
export function* settleSteps({ groups }: Policy): Steps<void> {
  if (groups.are_depths_stale) yield* countDepths(groups)
}

/** Rows that hold lists of their own. */
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
