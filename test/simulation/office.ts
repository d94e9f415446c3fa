import { type Kind, resourceOf, resources } from '@gatehouse-access/api'
import { addSeconds, type EmergencyRow, type GroupRow, type OverrideRow } from '@gatehouse-access/core'
import { type Context, createOrganization, type Database } from '@gatehouse-access/server'
import type { Chance } from '@gatehouse-access/testkit'
import { defaultQuotas } from '../../packages/server/src/config/quotas.ts'
import { issueCredentials } from '../../packages/server/src/services/access/device-credentials.ts'
import { behaviours } from '../../packages/server/src/services/behaviours.ts'
import { endNow } from '../../packages/server/src/services/doors/emergencies.ts'
import { setMode } from '../../packages/server/src/services/doors/set-mode.ts'
import { createObject, deleteObject, editObject } from '../../packages/server/src/services/objects/objects.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { PinCounts } from '../../packages/server/src/store/counts/pin-counts.ts'
import { Quotas } from '../../packages/server/src/store/counts/quotas.ts'
import type { Lane } from './lane.ts'
import {
  type Building,
  type Door,
  doorActions,
  doorWords,
  type Organization,
  type Person,
} from './organization.ts'

type Body = Record<string, unknown>

const doorCount = 3
const commandCount = 40
const mostEmergencies = 3
/** Seconds: the shortest lease that there is. */
const shortestHold = 900

/** One transaction of an administrator. */
class Desk {
  readonly #work: { context: Context; db: Database; caller: ReturnType<typeof serviceCaller>; now: string }

  constructor(lane: Lane, db: Database, organizationId: string, now: string) {
    const clock = { now: () => now }
    const quotas = new Quotas(defaultQuotas, clock)
    const pin_counts = new PinCounts({ elapsed: () => Date.parse(now) })
    const context = { ...lane, db, clock, quotas, pin_counts, behaviours } as unknown as Context
    this.#work = { context, db, caller: serviceCaller(organizationId), now }
  }

  create(kind: Kind, body: Body, memberId?: string): Promise<Body> {
    return createObject(this.#work, this.#target(kind, memberId), () => body)
  }

  edit(kind: Kind, id: string, body: Body): Promise<Body> {
    return editObject(this.#work, this.#target(kind), id, () => body)
  }

  remove(kind: Kind, id: string, memberId?: string): Promise<Body> {
    return deleteObject(this.#work, this.#target(kind, memberId), id)
  }

  async secretOf(deviceId: string): Promise<string> {
    const { reach } = this.#target('device')
    const target = { resource: resources.device, reach }
    const input = { work: this.#work, target, id: deviceId, ids: {}, query: {}, readBody: () => ({}) }
    return (await issueCredentials(input)).secret as string
  }

  async endEmergency(id: string): Promise<void> {
    const { reach } = this.#target('emergency')
    const target = { resource: resources.emergency, reach }
    await endNow({ work: this.#work, target, id, ids: {}, query: {}, readBody: () => ({}) })
  }

  async setMode(id: string, body: Parameters<typeof setMode>[0] extends { readBody(): infer B } ? B : never) {
    const { reach } = this.#target('gadget')
    const target = { resource: resources.gadget, reach }
    await setMode({ work: this.#work, target, id, ids: {}, query: {}, readBody: () => body })
    return this.#work.now
  }

  #target(kind: Kind, memberId?: string) {
    const { organization_id } = this.#work.caller
    const parent = memberId === undefined ? undefined : { field: 'member_id', id: memberId }
    return { resource: resourceOf(kind), reach: { organization_id, parent } }
  }
}

/** A committed change: the resulting organization, and the transaction that made it. */
export interface Committed {
  readonly organization: Organization
  readonly epoch: number
  readonly transaction_id: number
}

/** The administrator. Every change is one transaction of the real services. */
export class Office {
  readonly #lane: Lane
  readonly #chance: Chance
  readonly #now: () => string
  readonly building: Building
  #serial = 0

  private constructor(lane: Lane, chance: Chance, now: () => string, building: Building) {
    this.#lane = lane
    this.#chance = chance
    this.#now = now
    this.building = building
  }

  /** Creates a site with three doors and no people. */
  static async open(
    lane: Lane,
    chance: Chance,
    now: () => string,
  ): Promise<{ office: Office; first: Committed }> {
    const clock = { now }
    return lane.db.transaction(async db => {
      const organization_id = await createOrganization({ ...lane, clock }, db, 'Simulated')
      const desk = new Desk(lane, db, organization_id, now())
      const site_id = (await desk.create('site', { name: 'Site', timezone: 'Europe/Madrid' })).id as string
      const doors: Door[] = []
      for (let count = 1; count <= doorCount; count++) doors.push(await addDoor(desk, site_id, count))
      const organization = await addRules(desk)
      const office = new Office(lane, chance, now, { organization_id, site_id, doors })
      return { office, first: { organization, ...(await transactionOf(db)) } }
    })
  }

  /** Makes one change, as an administrator might. */
  change(before: Organization): Promise<Committed> {
    const { db } = this.#lane
    return db.transaction(async inner => {
      const desk = new Desk(this.#lane, inner, this.building.organization_id, this.#now())
      const changes = await this.#changes(desk, before)
      return { organization: { ...before, ...changes }, ...(await transactionOf(inner)) }
    })
  }

  async #changes(desk: Desk, before: Organization): Promise<Partial<Organization>> {
    const chance = this.#chance
    const { people } = before
    const person = people.length > 0 ? chance.pick(people) : undefined
    const kinds = [
      'join',
      'join',
      'leave',
      'dates',
      'rules',
      'times',
      'pin',
      'move',
      'code',
      'start',
      'start',
      'end',
      'mode',
      'mode',
    ] as const
    const kind = person ? chance.pick(kinds) : 'join'
    if (!person || kind === 'join') return { people: [...people, await this.#join(desk, before)] }
    if (kind === 'rules') return { groups: await this.#changeRules(desk, before) }
    if (kind === 'times') return { schedules: await this.#changeTimes(desk, before) }
    if (kind === 'code') return { code: await this.#changeCode(desk) }
    if (kind === 'start') return { emergencies: await this.#start(desk, before) }
    if (kind === 'end') return { emergencies: await this.#end(desk, before) }
    if (kind === 'mode') return { overrides: await this.#override(desk, before) }
    const changed = await this.#changePerson(desk, before, person, kind)
    return { people: people.flatMap(other => (other === person ? (changed ?? []) : other)) }
  }

  async #changePerson(
    desk: Desk,
    { people, groups }: Organization,
    person: Person,
    kind: 'leave' | 'dates' | 'pin' | 'move',
  ): Promise<Person | undefined> {
    if (kind === 'leave') {
      await desk.remove('member', person.id)
      return undefined
    }
    if (kind === 'dates') {
      const dates = datesOf(this.#chance)
      await desk.edit('member', person.id, dates)
      return { ...person, ...dates }
    }
    if (kind === 'move') {
      const groupId = this.#chance.pick(groups).id
      return { ...person, groups: await move(desk, person, groupId) }
    }
    await desk.remove('member_pin', person.pin_id, person.id)
    const pin = newPin(this.#chance, people)
    return { ...person, pin, pin_id: (await desk.create('member_pin', { pin }, person.id)).id as string }
  }

  async #join(desk: Desk, { people, groups }: Organization): Promise<Person> {
    const chance = this.#chance
    const dates = datesOf(chance)
    const uid = (0x04000000 + ++this.#serial * 977).toString(16).toUpperCase().padStart(8, '0')
    const pin = newPin(chance, people)
    const id = (await desk.create('member', { name: 'Person', ...dates })).id as string
    const joined = new Map<string, string>()
    for (const { id: member_group_id } of groups.filter(() => chance.happens(0.6)))
      joined.set(member_group_id, await associate(desk, id, member_group_id))
    const pin_id = (await desk.create('member_pin', { pin }, id)).id as string
    const card_id = (await desk.create('member_card', { uid }, id)).id as string
    return { id, pin_id, card_id, pin, uid, groups: joined, ...dates }
  }

  async #changeRules(desk: Desk, { groups, schedules }: Organization): Promise<GroupRow[]> {
    const chance = this.#chance
    const group = chance.pick(groups)
    const { doors, site_id } = this.building
    const permissions = Array.from({ length: chance.whole(0, 2) }, () => ({
      ...(chance.happens(0.5) ? { gadget_id: chance.pick(doors).gadget_id } : { site_id }),
      ...(chance.happens(0.4) && { schedule_id: chance.pick(schedules).id }),
      ...(chance.happens(0.3) && { access_methods: { pin: chance.happens(0.5), card: true } }),
    }))
    await desk.edit('member_group', group.id, { permissions })
    return groups.map(other => (other === group ? { ...group, permissions } : other))
  }

  async #changeTimes(desk: Desk, { schedules }: Organization) {
    const schedule = this.#chance.pick(schedules)
    const weekdays = weekdaysOf(this.#chance)
    await desk.edit('schedule', schedule.id, { weekdays })
    return schedules.map(other => (other === schedule ? { ...schedule, weekdays } : other))
  }

  /** A lockdown, or an evacuation: of one type at a time, since they exclude each other. */
  async #start(desk: Desk, { emergencies, groups }: Organization): Promise<readonly EmergencyRow[]> {
    const chance = this.#chance
    if (emergencies.length >= mostEmergencies) return emergencies
    const type = emergencies[0]?.type ?? (chance.happens(0.8) ? 'lockdown' : 'evacuation')
    const all = this.building.doors.map(({ gadget_id }) => gadget_id)
    const chosen = all.filter(() => chance.happens(0.7))
    const gadget_ids = chosen.length > 0 ? chosen : all
    const isOpening = type === 'lockdown' && chance.happens(0.2)
    const made = await desk.create('emergency', {
      type,
      targets: { gadget_ids },
      ...(type === 'lockdown' && { exempt_member_group_ids: [chance.pick(groups).id] }),
      ...(isOpening && { unlocked_gadget_ids: gadget_ids.slice(0, 1) }),
      offline_hold_seconds: shortestHold,
    })
    return [...emergencies, emergencyOf(made)]
  }

  async #end(desk: Desk, { emergencies }: Organization): Promise<readonly EmergencyRow[]> {
    if (emergencies.length === 0) return emergencies
    const ended = this.#chance.pick(emergencies)
    await desk.endEmergency(ended.id)
    return emergencies.filter(other => other !== ended)
  }

  async #override(desk: Desk, { overrides }: Organization): Promise<readonly OverrideRow[]> {
    const { gadget_id: id } = this.#chance.pick(this.building.doors)
    const mode = this.#chance.pick(['unlocked', 'unlocked', 'controlled', 'scheduled'] as const)
    const others = overrides.filter(override => override.id !== id)
    if (mode === 'scheduled') {
      await desk.setMode(id, { mode })
      return others
    }
    const until = addSeconds(this.#now(), this.#chance.whole(1, 90) * 10)
    const [lasts, end] = this.#chance.happens(0.5)
      ? (['until', until] as const)
      : (['indefinitely', null] as const)
    const set_at = await desk.setMode(id, { mode, lasts, ...(end && { until: end }) })
    return [...others, { id, mode, lasts, until: end, set_at, is_deleted: false }]
  }

  async #changeCode(desk: Desk): Promise<string> {
    const code = this.#chance.pick(['', '*1', ''])
    for (const { device_id, gadget_id } of this.building.doors)
      await desk.edit('device', device_id, { input_rules: [{ code, gadget_id, action_id: 'open' }] })
    return code
  }
}

/** What the engine reads of an emergency, with the end of its lease, which nobody renews in such a night. */
function emergencyOf(made: Body): EmergencyRow {
  const { renewed_at, ...row } = made as unknown as Required<EmergencyRow> & { renewed_at: string }
  const { id, type, targets, exempt_member_group_ids, unlocked_gadget_ids, started_at } = row
  const held_until = addSeconds(renewed_at, shortestHold)
  return { id, type, targets, exempt_member_group_ids, unlocked_gadget_ids, started_at, held_until }
}

async function transactionOf(db: Database): Promise<Omit<Committed, 'organization'>> {
  const [row] = await db.query<{ epoch: number; id: string }>(
    'SELECT feed_epoch() AS epoch, pg_current_xact_id()::text AS id',
  )
  return { epoch: row?.epoch as number, transaction_id: Number(row?.id) }
}

async function addDoor(desk: Desk, site_id: string, count: number): Promise<Door> {
  const hardware_id = `hw_door-${count}`
  const device = await desk.create('device', {
    name: 'Door',
    site_id,
    product_id: 'controller',
    hardware_id,
  })
  const device_id = device.id as string
  const states = ['closed', 'open'].map(named)
  const door = await desk.create('gadget', {
    name: 'Door',
    device_id,
    states,
    actions: doorActions.map(named),
    signals: [named('bell'), named('exit')],
    door: doorWords,
  })
  const commands = await desk.create('gadget', {
    name: 'Commands',
    device_id,
    actions: Array.from({ length: commandCount }, (_, index) => named(commandAction(index))),
  })
  const gadget_id = door.id as string
  await desk.edit('device', device_id, { input_rules: [{ code: '', gadget_id, action_id: 'open' }] })
  const secret = await desk.secretOf(device_id)
  return { device_id, hardware_id, secret, gadget_id, command_gadget_id: commands.id as string }
}

export function commandAction(index: number): string {
  return `c${index}`
}

export const mostCommands = commandCount

async function addRules(desk: Desk): Promise<Organization> {
  const groups: GroupRow[] = []
  for (const name of ['Staff', 'Guests', 'Cleaners']) {
    const { id } = await desk.create('member_group', { name, permissions: [] })
    groups.push({ id: id as string, permissions: [], is_deleted: false })
  }
  const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 7200 }] }))
  const schedules = []
  for (const name of ['Early', 'Late']) {
    const { id } = await desk.create('schedule', { name, weekdays })
    schedules.push({ id: id as string, weekdays, is_deleted: false })
  }
  return { people: [], groups, schedules, code: '', emergencies: [], overrides: [] }
}

async function associate(desk: Desk, memberId: string, member_group_id: string): Promise<string> {
  return (await desk.create('member_group_association', { member_group_id }, memberId)).id as string
}

/** Adds the person to the group, or removes them from it. */
async function move(desk: Desk, { id, groups }: Person, groupId: string): Promise<Map<string, string>> {
  const moved = new Map(groups)
  const association = moved.get(groupId)
  if (association === undefined) moved.set(groupId, await associate(desk, id, groupId))
  else {
    await desk.remove('member_group_association', association, id)
    moved.delete(groupId)
  }
  return moved
}

function newPin(chance: Chance, people: readonly Person[]): string {
  for (;;) {
    const pin = String(chance.whole(700100, 700199))
    if (!people.some(person => person.pin === pin)) return pin
  }
}

/** Dates in the night of the clock change. */
function datesOf(chance: Chance): Pick<Person, 'starts_at' | 'ends_at'> {
  const date = (hours: number) =>
    `2026-03-29T0${hours + chance.whole(0, 1)}:${chance.pick(['00', '15', '30', '45'])}:00.000000Z`
  return {
    starts_at: chance.happens(0.2) ? date(0) : null,
    ends_at: chance.happens(0.2) ? date(2) : null,
  }
}

function weekdaysOf(chance: Chance) {
  const start = chance.whole(0, 12) * 1800
  const end = start + chance.whole(1, 6) * 1800
  return Array.from({ length: 7 }, () => ({ ranges: [{ start, end }] }))
}

function named(id: string) {
  return { id, name: id }
}
