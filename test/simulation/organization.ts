import { capabilitiesOf, type SliceRows } from '@gatehouse/api'
import type { GroupRow, PolicyRows, ScheduleRow } from '@gatehouse/core'
import { keyedHash } from '@gatehouse/edge'
import type { Chance } from './random.ts'

/** An id of the right shape, made of a number. */
export function idOf(prefix: string, number: number): string {
  return `${prefix}_${String(number).padStart(20, '0')}`
}

export const siteId = idOf('site', 1)
export const commandGadget = idOf('gad', 99)
const groupIds = [0, 1, 2].map(number => idOf('mg', number))
const scheduleIds = [0, 1].map(number => idOf('sch', number))
/** One action for each command, so that what was run tells which command it was. */
export const commandActions = Array.from({ length: 40 }, (_, index) => `c${index}`)

export interface Person {
  readonly id: string
  readonly pin: string
  readonly uid: string
  readonly starts_at: string | null
  readonly ends_at: string | null
  readonly groups: readonly string[]
}

/** Everything that policy is made of, at one version. Replaced, never changed. */
export interface Organization {
  readonly people: readonly Person[]
  readonly groups: readonly GroupRow[]
  readonly schedules: readonly ScheduleRow[]
  readonly code: string
}

export function doorOf(device: string): string {
  return device.replace('dev_', 'gad_')
}

/** One PIN and one card a member. */
export function credentialOf(prefix: 'mp' | 'mc', memberId: string): string {
  return memberId.replace('mem_', `${prefix}_`)
}

function associationOf(memberId: string, groupId: string): string {
  return `mga_${memberId.slice(-10)}${groupId.slice(-10)}`
}

export function foundOrganization(chance: Chance, devices: readonly string[]): Organization {
  const empty: Organization = { people: [], groups: [], schedules: [], code: '' }
  let organization = empty
  for (let change = 0; change < 12; change++)
    organization = changeSomething(organization, chance, devices, change)
  return organization
}

/** One change as an administrator might make it. */
export function changeSomething(
  before: Organization,
  chance: Chance,
  devices: readonly string[],
  serial: number,
): Organization {
  const kind = chance.pick(['join', 'join', 'leave', 'dates', 'group', 'schedule', 'pin', 'code'] as const)
  const { people } = before
  const person = people.length > 0 ? chance.pick(people) : undefined
  const replace = (changes: Partial<Person>) =>
    people.map(other => (other === person ? { ...other, ...changes } : other))
  switch (kind) {
    case 'leave':
      return { ...before, people: people.filter(other => other !== person) }
    case 'dates':
      return { ...before, people: replace(datesOf(chance)) }
    case 'pin':
      return { ...before, people: replace({ pin: newPin(chance, people) }) }
    case 'group':
      return { ...before, groups: changedGroups(before, chance, devices) }
    case 'schedule':
      return { ...before, schedules: changedSchedules(before, chance) }
    case 'code':
      return { ...before, code: chance.pick(['', '*1', '']) }
    default: {
      const uid = (0x04000000 + serial * 977 + chance.whole(0, 900))
        .toString(16)
        .toUpperCase()
        .padStart(8, '0')
      const groups = groupIds.filter(() => chance.happens(0.6))
      const joined = { id: idOf('mem', serial), pin: newPin(chance, people), uid, groups, ...datesOf(chance) }
      return { ...before, people: [...people.filter(({ id }) => id !== joined.id), joined] }
    }
  }
}

function newPin(chance: Chance, people: readonly Person[]): string {
  for (;;) {
    const pin = String(chance.whole(1000, 1099))
    if (!people.some(person => person.pin === pin)) return pin
  }
}

function datesOf(chance: Chance): Pick<Person, 'starts_at' | 'ends_at'> {
  const date = (chance_: number) => {
    if (!chance.happens(chance_)) return null
    return `2026-03-29T0${chance.whole(0, 3)}:${chance.pick(['00', '15', '30', '45'])}:00.000000Z`
  }
  return { starts_at: date(0.2), ends_at: date(0.2) }
}

function changedGroups({ groups }: Organization, chance: Chance, devices: readonly string[]): GroupRow[] {
  const id = chance.pick(groupIds)
  const permissions = Array.from({ length: chance.whole(0, 2) }, () => ({
    ...(chance.happens(0.5) ? { gadget_id: doorOf(chance.pick(devices)) } : { site_id: siteId }),
    ...(chance.happens(0.4) && { schedule_id: chance.pick(scheduleIds) }),
    ...(chance.happens(0.3) && { access_methods: { pin: chance.happens(0.5), card: true } }),
  }))
  return [...groups.filter(group => group.id !== id), { id, permissions, is_deleted: false }]
}

function changedSchedules({ schedules }: Organization, chance: Chance): ScheduleRow[] {
  const id = chance.pick(scheduleIds)
  const start = chance.whole(0, 12) * 1800
  const weekdays = Array.from({ length: 7 }, () => ({
    ranges: [{ start, end: start + chance.whole(1, 6) * 1800 }],
  }))
  return [...schedules.filter(schedule => schedule.id !== id), { id, weekdays, is_deleted: false }]
}

/** What the engine makes of it, without any slice, hash or disk. */
export function engineRows(
  { people, groups, schedules }: Organization,
  devices: readonly string[],
): PolicyRows {
  return {
    sites: [{ id: siteId, timezone: 'Europe/Madrid', is_deleted: false }],
    devices: devices.map(id => ({ id, is_deleted: false })),
    gadgets: devices.map(id => ({
      id: doorOf(id),
      site_id: siteId,
      device_id: id,
      actions: [{ id: 'open' }],
      is_deleted: false,
    })),
    schedules,
    groups,
    members: people.map(({ id, starts_at, ends_at }) => ({ id, starts_at, ends_at, is_deleted: false })),
    associations: people.flatMap(({ id, groups: of }) =>
      of.map(group => ({
        id: associationOf(id, group),
        member_id: id,
        member_group_id: group,
        starts_at: null,
        ends_at: null,
        is_deleted: false,
      })),
    ),
    credentials: people.flatMap(({ id }) => [
      { id: credentialOf('mp', id), member_id: id, kind: 'pin' as const, is_deleted: false },
      { id: credentialOf('mc', id), member_id: id, kind: 'card' as const, is_deleted: false },
    ]),
  }
}

/** The same as a device receives it. */
export function sliceRows(organization: Organization, device: string, key: Uint8Array): Required<SliceRows> {
  const { people, groups, schedules, code } = organization
  const gadget = {
    site_id: siteId,
    device_id: device,
    states: [{ id: 'closed' }, { id: 'open' }],
    signals: [{ id: 'bell' }],
  }
  const door = { ...gadget, id: doorOf(device), actions: [{ id: 'open' }] }
  const commands = { ...gadget, id: commandGadget, actions: commandActions.map(id => ({ id })) }
  const input_rules = [{ code, gadget_id: door.id, action_id: 'open' }]
  return {
    sites: [{ id: siteId, timezone: 'Europe/Madrid' }],
    devices: [{ id: device, site_id: siteId, capabilities: capabilitiesOf('controller'), input_rules }],
    gadgets: [door, commands],
    schedules: schedules.map(({ id, weekdays }) => ({ id, weekdays: weekdays as never })),
    groups: groups.map(({ id, permissions }) => ({
      id,
      permissions: permissions.map((rule, rule_index) => ({ ...rule, rule_index })) as never,
    })),
    triggers: [],
    members: people.map(({ id, starts_at, ends_at, pin, uid, groups: of }) => ({
      id,
      ...(starts_at && { starts_at }),
      ...(ends_at && { ends_at }),
      associations: of.map(group => ({ id: associationOf(id, group), member_group_id: group })),
      credentials: [
        { id: credentialOf('mp', id), kind: 'pin' as const, hash: keyedHash(key, 'pin', pin) },
        { id: credentialOf('mc', id), kind: 'card' as const, hash: keyedHash(key, 'card', uid) },
      ],
    })),
  }
}
