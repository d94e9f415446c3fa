import type { EmergencyRow, GroupRow, OverrideRow, PolicyRows, ScheduleRow } from '@gatehouse-access/core'

export interface Person {
  readonly id: string
  readonly pin_id: string
  readonly card_id: string
  readonly pin: string
  readonly uid: string
  readonly starts_at: string | null
  readonly ends_at: string | null
  /** Association ids by group. */
  readonly groups: ReadonlyMap<string, string>
}

/** Everything that policy is made of, as of one transaction. Immutable. */
export interface Organization {
  readonly people: readonly Person[]
  readonly groups: readonly GroupRow[]
  readonly schedules: readonly ScheduleRow[]
  /** The code typed before a PIN. */
  readonly code: string
  /** Those that are active, with the ends of their leases. */
  readonly emergencies: readonly EmergencyRow[]
  readonly overrides: readonly OverrideRow[]
}

/** A magnetic lock: nobody leaves without the controller. */
export const doorWords = {
  release_action_id: 'open',
  hold_action_id: 'hold',
  secure_action_id: 'secure',
  exit_signal_id: 'exit',
  egress: 'electric',
} as const

export const doorActions = ['open', 'hold', 'secure'] as const

/** What exists in the site throughout the simulation. */
export interface Building {
  readonly organization_id: string
  readonly site_id: string
  readonly doors: readonly Door[]
}

export interface Door {
  readonly device_id: string
  readonly hardware_id: string
  readonly secret: string
  readonly gadget_id: string
  /** Has one action per command, so that an executed action identifies its command. */
  readonly command_gadget_id: string
}

/**
 * A version of a slice may be made while the organization changes: members as of one state, rules as of
 * another.
 */
export interface Mixture {
  readonly members: Organization
  readonly groups: Organization
  readonly schedules: Organization
  readonly modes: Organization
}

/** Returns the engine's input directly, without any slice, hash or disk. */
export function engineRows({ members, groups, modes, schedules }: Mixture, building: Building): PolicyRows {
  const { site_id, doors } = building
  const { people } = members
  return {
    sites: [{ id: site_id, timezone: 'Europe/Madrid', is_deleted: false }],
    devices: doors.map(({ device_id }) => ({ id: device_id, is_deleted: false })),
    gadgets: doors.map(({ device_id, gadget_id }) => ({
      id: gadget_id,
      site_id,
      device_id,
      actions: doorActions.map(id => ({ id })),
      door: doorWords,
      is_deleted: false,
    })),
    schedules: schedules.schedules,
    emergencies: modes.emergencies,
    overrides: modes.overrides,
    groups: groups.groups,
    members: people.map(({ id, starts_at, ends_at }) => ({ id, starts_at, ends_at, is_deleted: false })),
    associations: people.flatMap(({ id, groups: of }) =>
      [...of].map(([member_group_id, association_id]) => ({
        id: association_id,
        member_id: id,
        member_group_id,
        starts_at: null,
        ends_at: null,
        is_deleted: false,
      })),
    ),
    credentials: people.flatMap(({ id, pin_id, card_id }) => [
      { id: pin_id, member_id: id, kind: 'pin' as const, is_deleted: false },
      { id: card_id, member_id: id, kind: 'card' as const, is_deleted: false },
    ]),
  }
}

/** A device knows everyone who may use any of its gadgets at any time, and who is exempt from a lockdown there. */
export function isKnownAt({ groups }: Person, mixture: Mixture, door: Door, site_id: string): boolean {
  const known = groupsKnownAt(mixture, door, site_id)
  return [...groups.keys()].some(id => known.has(id))
}

/** The groups whose members a device knows as such. */
export function groupsKnownAt({ groups, modes }: Mixture, door: Door, site_id: string): Set<string> {
  const own = [door.gadget_id, door.command_gadget_id]
  const exempt = modes.emergencies
    .filter(({ targets }) => targets.gadget_ids?.includes(door.gadget_id))
    .flatMap(({ exempt_member_group_ids }) => exempt_member_group_ids ?? [])
  const admitted = groups.groups.filter(({ permissions }) =>
    permissions.some(rule =>
      rule.gadget_id ? own.includes(rule.gadget_id) : !rule.site_id || rule.site_id === site_id,
    ),
  )
  return new Set([...exempt, ...admitted.map(({ id }) => id)])
}
