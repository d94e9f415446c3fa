import { type Associations, createAssociations, putAssociation } from './associations.ts'
import { type Credentials, createCredentials, putCredential } from './credentials.ts'
import { createGadgets, type Gadgets, putGadget } from './gadgets.ts'
import { createGroups, type Groups, groupCell, putGroup } from './groups.ts'
import { createMembers, type Members, numberMember, putMember } from './members.ts'
import { createPlaces, type Places, putDevice, putSchedule, putSite } from './places.ts'
import type { AssociationRow, CredentialRow, PolicyRows } from './policy-rows.ts'

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

/** A compiled policy is its rows applied one by one, so a delta and a fresh compile cannot disagree. */
export function compilePolicy(rows: PolicyRows): Policy {
  const policy = {
    places: createPlaces(),
    gadgets: createGadgets(rows.gadgets.length),
    groups: createGroups(),
    members: createMembers(rows.members.length),
    associations: createAssociations(rows.associations.length),
    credentials: createCredentials(rows.credentials.length),
  }
  for (const kind of Object.keys(changes) as PolicyKind[]) applyAll(policy, kind, rows[kind])
  return policy
}

/** Puts the newest state of one object; a deleted one comes with `is_deleted`. */
export function applyChange<Kind extends PolicyKind>(policy: Policy, kind: Kind, row: PolicyRow<Kind>): void {
  changes[kind](policy, row)
}

function applyAll<Kind extends PolicyKind>(
  policy: Policy,
  kind: Kind,
  rows: readonly PolicyRow<Kind>[],
): void {
  for (const row of rows) changes[kind](policy, row)
}

function applyAssociation(policy: Policy, row: AssociationRow): void {
  const member = numberMember(policy.members, row.member_id)
  const group = groupCell(policy.groups, row.member_group_id)
  putAssociation(policy, member, group.number, row)
}

function applyCredential({ credentials, members }: Policy, row: CredentialRow): void {
  putCredential(credentials, numberMember(members, row.member_id), row)
}
