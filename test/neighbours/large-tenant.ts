import type { Pool } from '@gatehouse-access/server'
import { Copies } from './copies.ts'
import { growAccount, type LargeAccount } from './large-account.ts'
import type { Neighbour } from './stage.ts'

/** The amounts that the declarations do not limit. Everything else is at its limit. */
export interface Size {
  readonly controllers: number
  readonly schedules: number
  /** Of each calendar. */
  readonly days: number
  readonly groups: number
  readonly members: number
  /** For the largest member: emails, links, PINs, tokens, and groups. */
  readonly of_one: number
}

export interface LargeTenant extends Neighbour, LargeAccount {
  readonly site_id: string
  readonly device_id: string
  readonly gadget_id: string
  /** A gadget that nothing else uses, and a device that was never connected. */
  readonly spare_gadget_id: string
  readonly hardware_device_id: string
  readonly schedule_id: string
  /** With as many exceptions as possible. */
  readonly special_schedule_id: string
  /** Its site observes ten of them, each full of stretches of a year. */
  readonly calendar_id: string
  /** The most that an unlock rule can have. The first one is in 200 rules, the others in a tenth of them. */
  readonly held_doors: readonly string[]
  readonly unlock_rule_id: string
  readonly emergency_id: string
  /** One of 200, which all have as many gadgets as possible. */
  readonly alarm_rule_id: string
  /** As many as one request acknowledges, of 1000 that are open. Each was taken up by all rules. */
  readonly alarm_ids: readonly string[]
  /** Its rules cover everything, each with a schedule and inheriting from the previous group. */
  readonly member_group_id: string
  /** In every group, with the maximum number of credentials. */
  readonly member_id: string
  readonly member_token: string
  readonly rules: readonly object[]
  readonly weekdays: readonly object[]
}

const actions = Array.from({ length: 64 }, (_, index) => ({ id: `act_${index}`, name: `Action ${index}` }))
const metadata = { note: 'x'.repeat(1000) }

/** Returns ranges of one second, interleaved with those of other schedules: 700 in a week. */
function crowdedWeek(index: number) {
  const ranges = Array.from({ length: 100 }, (_, place) => ({
    start: place * 860 + (index % 400) * 2,
    end: place * 860 + (index % 400) * 2 + 1,
  }))
  return Array.from({ length: 7 }, () => ({ ranges }))
}

/** Creates an organization of the maximum size: a few objects through the API, then many copies. */
export async function growTenant(db: Pool, tenant: Neighbour, size: Size): Promise<LargeTenant> {
  const make = async (path: string, body: object) => (await must(tenant, path, body)).id as string
  const calendar_id = await make('/calendars', { name: 'Days off', metadata })
  const day_id = await make(`/calendars/${calendar_id}/days`, {
    starts_on: '2026-11-01',
    ends_on: '2027-10-31',
    recurrence: 'yearly',
    metadata,
  })
  const site_id = await make('/sites', { name: 'Site', timezone: 'Europe/Madrid', geo, metadata })
  const device_id = await make('/devices', {
    name: 'Controller',
    site_id,
    product_id: 'controller',
    metadata,
  })
  const gadget_id = await make('/gadgets', { name: 'Door', device_id, actions, door, metadata })
  const spare_gadget_id = await make('/gadgets', { name: 'Spare door', device_id, actions })
  const hardware = { name: 'Hardware', site_id, product_id: 'controller', hardware_id: 'hw_A1B2-C3D4' }
  const hardware_device_id = await make('/devices', hardware)
  await must(tenant, `/devices/${hardware_device_id}/credentials`, {})
  const weekdays = crowdedWeek(0)
  const special = {
    weekdays,
    special_days: [{ kind: 'holiday', ranges: [] }],
    exceptions: manyExceptions,
    metadata,
  }
  // A page of rules does not fit all of their exceptions when expanded, so those in rules have a few.
  const schedule_id = await make('/schedules', {
    ...special,
    name: 'Crowded',
    exceptions: manyExceptions.slice(0, 4),
  })
  const special_schedule_id = await make('/schedules', { ...special, name: 'Special' })
  const plain = await make('/member_groups', { name: 'Plain', permissions: [{}], metadata })
  const member_id = await make('/members', { name: 'Guest', metadata })
  const { token } = await must(tenant, `/members/${member_id}/tokens`, {})
  const email_id = await make(`/members/${member_id}/emails`, { email: 'guest@example.com', metadata })
  const association_id = await make(`/members/${member_id}/group_associations`, { member_group_id: plain })
  await must(tenant, `/members/${member_id}/pins`, {})
  await make('/cards', { uid: '04AABBCCDDEEFF', metadata })
  await make('/gadget_triggers', {
    source_type: 'schedule',
    source_schedule_id: schedule_id,
    source_schedule_event: 'enter',
    target_gadget_id: gadget_id,
    target_action_id: 'act_0',
  })

  const many = new Copies(db)
  const calendars = [calendar_id, ...(await many.of('calendars', calendar_id, 'cal', 9))]
  await many.of('calendar_days', day_id, 'cld', calendars.length * size.days, index => ({
    calendar_id: calendars[index % calendars.length],
    kind: index % 3 === 0 ? 'holiday' : `kind_${index % 500}`,
  }))
  const observing = await tenant.ask('PATCH', `/v2/sites/${site_id}`, { calendar_ids: calendars })
  if (observing.status !== 200) throw new Error(JSON.stringify(observing.body))
  const schedules = await many.of('schedules', schedule_id, 'sch', size.schedules - 1, index => ({
    weekdays: crowdedWeek(index + 1),
  }))
  const devices = await many.of('devices', device_id, 'dev', size.controllers - 1)
  const gadgets = await many.of('gadgets', gadget_id, 'gad', devices.length * 8, index => ({
    device_id: devices[Math.floor(index / 8)],
  }))
  const held_doors = [gadget_id, ...gadgets].slice(0, 500)
  const rule = { name: 'Doors', site_id, gadget_ids: [gadget_id], schedule_id }
  const unlock_rule_id = await make('/unlock_rules', rule)
  await many.of('unlock_rules', unlock_rule_id, 'ur', 199, index => ({
    gadget_ids: [gadget_id, ...gadgets.slice((index % devices.length) * 8).slice(0, 8)],
    schedule_id: schedules[index % schedules.length] ?? schedule_id,
  }))
  const targets = { site_ids: [site_id] }
  const emergency_id = await make('/emergencies', { type: 'lockdown', targets })
  const alarms = await growAlarms(db, many, tenant, { site_id, device_id, gadget_id, held_doors })
  const rulesOf = (index: number, parent: string | undefined) =>
    Array.from({ length: 500 }, (_, place) => ({
      schedule_id: schedules[(place * 7 + index) % schedules.length] ?? schedule_id,
      ...(parent && { member_group_id: parent }),
      ...(place % 5 === 0 && { access_methods: { online: true, pin: place % 2 === 0 } }),
      ...(place % 7 === 0 && { presence: 'gps' }),
    }))
  const ids = many.ids('mg', size.groups)
  await many.as('member_groups', plain, ids, index => ({ permissions: rulesOf(index, ids[index - 1]) }))
  const members = await many.of('members', member_id, 'mem', size.members)
  await many.of('member_group_associations', association_id, 'mga', members.length, index => ({
    member_id: members[index],
    member_group_id: ids[index % ids.length] ?? plain,
  }))
  await many.of('member_group_associations', association_id, 'mga', size.of_one, index => ({
    member_group_id: ids[index % ids.length] ?? plain,
  }))
  await many.of('member_emails', email_id, 'me', size.of_one, index => ({
    email: `guest-${index}@example.com`,
    email_key: `guest-${index}@example.com`,
  }))
  return {
    ...tenant,
    ...(await growAccount(db, many, tenant.organization_id)),
    site_id,
    device_id,
    gadget_id,
    spare_gadget_id,
    hardware_device_id,
    schedule_id,
    special_schedule_id,
    calendar_id,
    held_doors,
    unlock_rule_id,
    emergency_id,
    ...alarms,
    member_group_id: ids.at(-1) ?? plain,
    member_id,
    member_token: token as string,
    rules: rulesOf(1, ids[0]),
    weekdays,
  }
}

interface AlarmPlaces {
  readonly site_id: string
  readonly device_id: string
  readonly gadget_id: string
  readonly held_doors: readonly string[]
}

async function growAlarms(
  db: Pool,
  many: Copies,
  tenant: Neighbour,
  { held_doors, ...places }: AlarmPlaces,
): Promise<Pick<LargeTenant, 'alarm_rule_id' | 'alarm_ids'>> {
  const rule = await must(tenant, '/alarm_rules', {
    name: 'Doors',
    types: ['door_forced', 'door_held'],
    targets: { gadget_ids: held_doors },
    notify: [{ role: 'owner' }],
    metadata,
  })
  const alarm_rule_id = String(rule.id)
  const rules = [alarm_rule_id, ...(await many.of('alarm_rules', alarm_rule_id, 'alr', 199))]
  const [first = ''] = many.ids('alm', 1)
  await db.query(`INSERT INTO alarms SELECT (jsonb_populate_record(NULL::alarms, $1::text::jsonb)).*`, [
    JSON.stringify({
      ...newAlarm,
      ...places,
      id: first,
      organization_id: tenant.organization_id,
      alarm_rule_ids: rules,
    }),
  ])
  const alarms = await many.of('alarms', first, 'alm', 999, index => ({
    condition_key: `door_held:${index}`,
    cause_alarm_id: first,
  }))
  return { alarm_rule_id, alarm_ids: [first, ...alarms].slice(0, 100) }
}

const newAlarm = {
  type: 'door_held',
  severity: 'warning',
  state: 'open',
  is_over: false,
  started_at: '2026-11-14T09:30:00Z',
  occurrence_count: 1,
  last_occurred_at: '2026-11-14T09:30:00Z',
  is_flapping: false,
  is_late: false,
  is_drill: false,
  in_maintenance: false,
  condition_key: 'door_held',
  is_deleted: false,
  created_at: '2026-11-14T09:30:00Z',
  metadata,
}

/** One a day: never two at once. */
const manyExceptions = Array.from({ length: 400 }, (_, index) => ({
  starts_on: Temporal.PlainDate.from('2026-11-01').add({ days: index }).toString(),
  ranges: [{ start: 3600, end: 7200 }],
}))

const door = { release_action_id: 'act_0', hold_action_id: 'act_1', secure_action_id: 'act_2' }
const geo = { location: { lat: 41.4, lng: 2.2 }, radius: 200 }

async function must(tenant: Neighbour, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await tenant.ask('POST', `/v2${path}`, body)
  if (answer.status !== 200) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
