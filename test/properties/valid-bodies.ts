import { noPrivacy } from '@gatehouse-access/api'
import type { Ids } from './one-of-each.ts'
import { plainBodies } from './plain-bodies.ts'

export type Body = Record<string, unknown>

const metadata = { source: 'pms' }
const named = [{ id: 'open', name: 'Open' }]
const suspension = { is_suspended: false, suspended_until: null, suspended_reason: null }
const dates = { starts_at: '2026-12-01T14:00:00Z', ends_at: '2026-12-05T11:00:00+01:00' }

/**
 * Valid bodies for every endpoint that takes one. Together they contain every field, so that each can be made
 * invalid. Only kinds with rules of their own are listed.
 */
export function validBodies(ids: Ids): Record<string, readonly Body[]> {
  const tag_ids = [ids.tag]
  const { site, device } = placeBodies(ids)
  const triggers = triggerBodies(ids)
  const group = { name: 'Staff', permissions: permissions(ids), tag_ids, metadata }
  const gadget = {
    name: 'Gate',
    actions: openAndClose,
    states: openAndClose,
    signals: namedBell,
    door: doorBody,
    plan_position: { x: 0.5, y: 0.25 },
    tag_ids,
    metadata,
  }
  const webhook = {
    url: 'https://example.com/new',
    filter: [
      { object_type: 'member', verb: null, 'object.member_id': ids.member },
      { 'object.type': 'site', verb: 'edit', 'object.job_id': null },
    ],
    expand: ['object_member'],
    is_enabled: true,
    metadata,
  }
  const alive = { is_deleted: false }
  return {
    ...plainBodies(ids),
    'organization.edit': [{ name: 'Hotel', metadata, privacy: noPrivacy, color: '#0b4f94' }],
    'site.create': [site],
    'site.edit': [{ ...site, ...alive, fire: fireBody(ids) }],
    'site.fire_reset': [{}],
    'device.create': [{ ...device, product_id: 'controller', hardware_id: 'hw_A1B2', metadata }],
    'device.edit': [
      {
        ...device,
        ...alive,
        ...suspension,
        input_rules: [{ code: '1', gadget_id: ids.gadget, action_id: 'open' }],
      },
    ],
    'device.issue_credentials': [{}],
    'device.simulate': simulations(ids),
    'gadget.create': [{ ...gadget, device_id: ids.device }],
    'gadget.edit': [{ ...gadget, ...alive }],
    'gadget.run_action': [{}, { override_emergency: true }],
    'gadget.execute_as_member': [{ member_id: ids.member, location }],
    'gadget.mode': [
      { mode: 'unlocked', lasts: 'until', until: dates.ends_at, reason: 'Delivery' },
      { mode: 'scheduled' },
    ],
    'access_check.create': accessChecks(ids),
    'gadget_trigger.create': triggers,
    'gadget_trigger.edit': triggers.map(trigger => ({ ...noSource, ...trigger, ...alive })),
    'calendar.create': calendars,
    'calendar.edit': calendars.map(calendar => ({ ...calendar, ...alive })),
    'calendar.refresh': [{ accept: true }],
    'calendar_day.edit': [{ ...freeDay, ...alive }],
    'calendar_day.import': [{ ics }, { country: 'ES', region: 'MD', kinds: ['public'], years: [2027] }],
    'schedule.create': [schedules],
    'schedule.edit': [{ ...schedules, ...alive }],
    'unlock_rule.create': [unlockRule(ids)],
    'unlock_rule.edit': [{ ...withoutSite(unlockRule(ids)), ...alive }],
    'emergency_plan.create': [{ ...planBody(ids), control_gadget_id: ids.control_gadgets[0] }],
    'emergency_plan.edit': [{ ...planBody(ids), ...alive, control_gadget_id: ids.control_gadgets[1] }],
    'emergency.create': emergencies(ids),
    'emergency.edit': [{ metadata }],
    'emergency.end': [{ reason: 'It is over' }],
    'export.create': [
      { kind: 'members', format: 'csv', filter: { q: 'Ana' }, columns: ['name', 'email'], expand: ['tags'] },
    ],
    'job.edit': [{ metadata }],
    'job.start': [{ force: true }],
    'job.undo': [{}],
    'job.cancel': [{}],
    'erasure.create': [{ member_id: ids.member, ...erasing }],
    'erasure.cancel': [{}],
    'member.erase': [erasing],
    'member.data_export': [{}],
    'legal_hold.create': [legalHold(ids)],
    'legal_hold.edit': [{ ...legalHold(ids), ...alive }],
    'alarm.edit': [{ note: 'A delivery', metadata }],
    'alarm.acknowledge': [{ note: 'I am on my way' }],
    'alarm.snooze': [{ until: tomorrow }],
    'alarm.close': [{ note: 'It was the wind' }],
    'alarm.reopen': [{}],
    'alarm.acknowledge_many': [{ alarm_ids: [ids.alarm] }],
    'alarm_rule.create': [alarmRule(ids)],
    'alarm_rule.edit': [{ ...alarmRule(ids), ...alive }],
    'notification_target.create': targetBodies,
    'notification_target.edit': [
      { name: 'Doors', url: 'https://ntfy.example.com/all', topic: 'gates', token: 'tk_1', metadata },
      { address: null, secret: null, ...alive },
    ],
    'notification_target.test': [{}],
    'notification_target.send_code': [{ language: 'de' }],
    'notification_target.verify': [{ code: 'ABCD-1234' }],
    'device.maintenance': [{ until: tomorrow }],
    'site.maintenance': [{ until: tomorrow }],
    'site.set_floor_plan': [{ image: 'data:image/png;base64,iVBORw0KGgo=' }],
    'member_email.create': [{ email: 'other@example.com', metadata }],
    'member_magic_link.reveal': [{}],
    'member_pin.create': [{ length: 6, pin: '402917', metadata }],
    'member_pin.reveal': [{}],
    'member_card.create': cardBodies(ids, 0).map(card => ({ ...card, metadata })),
    'member_card.lost': [{ is_lost: true, lost_reason: 'In the lake' }],
    'member_card.replace': cardBodies(ids, 0).map(card => ({ ...card, lost_reason: 'In the lake' })),
    'member_group_association.create': [{ member_group_id: ids.member_group, ...dates, metadata }],
    'member_group_association.edit': [{ ...dates, ...alive, metadata }],
    'member_group.create': [group],
    'member_group.edit': [{ ...group, ...alive }],
    'card.create': [{ id: ids.card }, { name: 'Spare', uid: '04A1B2C9', printed_code: 'GH-2', metadata }],
    'card.edit': [{ name: 'Spare', is_lost: false, lost_reason: null, metadata, ...alive }],
    'webhook.create': [webhook],
    'webhook.edit': [{ ...webhook, ...alive }],
    'webhook.test': [{}],
    'webhook.replay': [dates],
    'webhook_delivery.retry': [{}],
    'event.issue_stream_ticket': [{}],
    'member.invite': [{ member_email_ids: [ids.member_email], language: 'de' }],
    'bulk.create': [bulkBody(ids)],
    'bulk.edit': bulkEdits(ids),
    'grant.create': cardBodies(ids, 1).map((card, index) => grantBody(ids, card, index)),
  }
}

function bulkBody({ member }: Ids): Body {
  const rename = {
    id: 'a',
    method: 'PATCH',
    path: `/members/${member}`,
    body: { name: 'Ada' },
    if_match: '*',
  }
  return { operations: [rename], atomic: true }
}

function bulkEdits({ member, member_group, tag }: Ids): Body[] {
  const change = {
    add_tag_ids: [tag],
    remove_member_group_ids: [member_group],
    starts_at: dates.starts_at,
    ends_at: dates.ends_at,
  }
  const other = { remove_tag_ids: [tag], add_member_group_ids: [member_group] }
  return [
    { kind: 'members', filter: { q: 'ada' }, change, dry_run: true, expected_count: 1 },
    { kind: 'members', ids: [member], change: other, dry_run: true },
    { kind: 'members', ids: [member], change: { is_deleted: true }, dry_run: true },
  ]
}

const tomorrow = Temporal.Now.instant().add({ hours: 24 }).toString()

const erasing = {
  scheduled_at: tomorrow,
  events: 'delete',
  includes_cards: true,
  reason: 'admin',
  reference: 'DSR-2',
}

function legalHold({ gadget, member }: Ids): Body {
  const covers = { member_ids: [member], gadget_ids: [gadget], ...dates }
  return { name: 'Water damage', reference: 'AZ 1', ...covers, expires_at: tomorrow, metadata }
}

const targetBodies = [
  { kind: 'email', name: 'Guards', address: 'guards@example.com', metadata },
  { kind: 'ntfy', url: 'https://ntfy.example.com', topic: 'doors', token: 'tk_1' },
  { kind: 'http', url: 'https://example.com/alarms', secret: 'a secret of 16 or more' },
]

function alarmRule({ device, gadget, notification_target, schedule, site, tag, user }: Ids): Body {
  return {
    name: 'Doors at night',
    types: ['door_held', 'access_denied_often', 'device_battery_low'],
    targets: { site_ids: [site], gadget_ids: [gadget], device_ids: [device], tag_ids: [tag] },
    schedule_id: schedule,
    severity: 'critical',
    delay_seconds: 60,
    notify: [{ notification_target_id: notification_target }, { user_id: user }, { role: 'owner' }],
    repeat_seconds: 600,
    escalate: [
      { after_seconds: 600, notify: [{ user_id: user }] },
      { after_seconds: 1200, notify: [{ notification_target_id: notification_target }, { role: 'owner' }] },
    ],
    auto_close_seconds: 3600,
    thresholds: { count: 5, seconds: 600, percent: 30 },
    is_enabled: true,
    metadata,
  }
}

const ics =
  'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART;VALUE=DATE:20271224\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
/** The last one is refreshed from the tables, without asking anybody. */
const calendars = [
  { name: 'Closures', source: { type: 'ics', url: 'https://example.com/a.ics' }, metadata },
  { name: 'Madrid', source: { type: 'country', country: 'ES', region: 'MD', kinds: ['public'] }, metadata },
]
const freeDay = {
  name: 'Inventory',
  kind: 'inventory',
  starts_on: '2026-12-30',
  ends_on: '2027-01-02',
  recurrence: 'yearly',
  is_public: false,
  metadata,
}
const ranges = [{ start: 28_800, end: 43_200 }]
const schedules = {
  name: 'Office hours',
  weekdays: Array.from({ length: 7 }, () => ({ ranges })),
  special_days: [{ kind: 'holiday', ranges }],
  exceptions: [{ starts_on: '2026-12-24', ends_on: '2026-12-26', name: 'Christmas', ranges }],
  metadata,
}

function fireBody({ gadget }: Ids): Body {
  return { source_gadget_id: gadget, source_state_id: 'open', release_gadget_ids: [gadget] }
}

function unlockRule({ gadget, member_group, schedule, site }: Ids): Body {
  return {
    name: 'Lobby',
    site_id: site,
    gadget_ids: [gadget],
    schedule_id: schedule,
    first_person: { member_group_ids: [member_group], early_seconds: 1800, before: 'closed' },
    last_person_signal: { gadget_id: gadget, signal_id: 'bell' },
    is_enabled: true,
    metadata,
  }
}

function withoutSite({ site_id: _, ...rest }: Body): Body {
  return rest
}

function lockdown({ control_gadgets, gadget, member_group, site, tag }: Ids): Body {
  return {
    name: 'Lock everything',
    type: 'lockdown',
    targets: {
      site_ids: [site],
      gadget_ids: [gadget],
      tag_ids: [tag],
      excluded_gadget_ids: [control_gadgets[0]],
    },
    exempt_member_group_ids: [member_group],
    unlocked_gadget_ids: [gadget],
    offline_hold_seconds: 3600,
    ends_after_seconds: 900,
    metadata,
  }
}

function planBody(ids: Ids): Body {
  return { ...lockdown(ids), trigger: { gadget_id: ids.gadget, signal_id: 'bell' } }
}

/** By a plan, and without one. */
function emergencies(ids: Ids): Body[] {
  const { ends_after_seconds: _, ...rest } = lockdown(ids)
  const common = { reason: 'Somebody called', is_drill: true, replaces: [ids.emergency] }
  return [
    { emergency_plan_id: ids.emergency_plan, ...common, ends_after_seconds: 900, metadata },
    { ...rest, ...common, ends_at: dates.ends_at },
  ]
}

const location = { lat: 40.4, lng: -3.7 }
const openAndClose = [...named, { id: 'close', name: 'Close' }]
const doorBody = {
  release_action_id: 'open',
  hold_action_id: 'open',
  secure_action_id: 'close',
  exit_action_ids: ['open'],
  exit_signal_id: 'bell',
  open_state_id: 'open',
  closed_state_id: 'close',
  tamper_signal_id: 'bell',
  egress: 'electric',
  lock_type: 'fail_safe',
  on_stop: 'keep',
  release_seconds: 5,
  held_open_seconds: 30,
}

function accessChecks({ device, gadget, member, member_pin }: Ids): Body[] {
  const rest = {
    gadget_id: gadget,
    device_id: device,
    action_id: 'open',
    access_method: 'pin',
    at: dates.starts_at,
    location,
  }
  return [
    { member_id: member, ...rest },
    { credential_id: member_pin, ...rest },
  ]
}

/** The last ones restore the device's state. */
function simulations({ gadget, member }: Ids): Body[] {
  return [
    { keys: '12#345678#' },
    { card: { uid: '04A1B2C3' } },
    { phone: { access_method: 'bluetooth', member_id: member } },
    { state: { gadget_id: gadget, state_id: 'open' } },
    { signal: { gadget_id: gadget, signal_id: 'bell' } },
    { fault: 'stuck_door' },
    { network: 'offline' },
    { network: 'online' },
    { fault: null },
  ]
}

const namedBell = [{ id: 'bell', name: 'Bell' }]
const noSource = {
  source_gadget_id: null,
  source_state_id: null,
  source_signal_id: null,
  source_schedule_id: null,
  source_schedule_event: null,
  source_alarm_type: null,
  source_alarm_event: null,
}

function placeBodies({ site: site_id, tag, calendar }: Ids): { site: Body; device: Body } {
  return {
    site: {
      name: 'Porto',
      timezone: 'Europe/Lisbon',
      geo: { location, radius: 150 },
      map: { location, place_id: 'p1', address: 'Rua 1', image_url: 'https://example.com/house.png' },
      phone: '+351 220 000 000',
      email: 'desk@example.com',
      alarm_runbook: 'Call the guard.',
      info: 'Breakfast from 7.',
      check_in: 'The key is in the box.',
      calendar_ids: [calendar],
      tag_ids: [tag],
      metadata,
    },
    device: { name: 'Gate', site_id, tag_ids: [tag], metadata },
  }
}

function triggerBodies({ gadget, schedule }: Ids): Body[] {
  const target = { target_gadget_id: gadget, target_action_id: 'open', metadata }
  return [
    { source_type: 'state', source_gadget_id: gadget, source_state_id: 'open', ...target },
    { source_type: 'signal', source_gadget_id: gadget, source_signal_id: 'bell', ...target },
    { source_type: 'schedule', source_schedule_id: schedule, source_schedule_event: 'exit', ...target },
    {
      source_type: 'alarm',
      source_gadget_id: gadget,
      source_alarm_type: 'door_forced',
      source_alarm_event: 'begin',
      ...target,
    },
  ]
}

function permissions({ site, gadget, schedule, inherited_group, tag }: Ids): Body[] {
  const access_methods = { online: true, bluetooth: true, mobile_nfc: true, pin: false, card: true }
  return [
    { site_id: site, schedule_id: schedule, presence: 'gps', access_methods },
    { gadget_id: gadget, action_id: 'open' },
    { tag_id: tag },
    { member_group_id: inherited_group },
  ]
}

/** The three ways to identify a card. There are two sets of cards, because a card has only one member. */
function cardBodies({ free_cards }: Ids, set: 0 | 1): Body[] {
  return [{ card_id: free_cards[set] }, { uid: `04A1B2C3D4E5F${set}` }, { printed_code: `FREE-${set + 2}` }]
}

function grantBody({ tag, member_group }: Ids, card: Body, number: number): Body {
  return {
    external_id: `R-${number}`,
    member: { name: 'Guest', ...dates, language: 'es', metadata, tag_ids: [tag] },
    member_group_ids: [member_group],
    credentials: {
      emails: ['guest@example.com'],
      magic_link: true,
      pin: { length: 6, pin: `73021${number}` },
      card,
    },
    notify: true,
  }
}
