import { type Endpoint, endpoints } from '@gatehouse-access/api'
import type { LargeTenant } from './large-tenant.ts'

export interface Ask {
  readonly method: string
  readonly path: string
  readonly body?: object
  /** Uses the member's token instead of the organization's. */
  readonly as_member?: true
  /** Uses the session of an owner. */
  readonly as_user?: true
}

/** The request of a tenant at its limits, or the reason why no request can be large. */
export type Scenario = string | ((large: LargeTenant) => Ask)

const oneRow = 'One row without lists; metadata is at most 1 kB.'
const ownPage = 'A page has at most 100 rows without lists.'
const noCaller = 'Reads no policy; the answer is one row or a code by mail.'

const get = (path: (large: LargeTenant) => string) => (large: LargeTenant) => ({
  method: 'GET',
  path: path(large),
})
const post =
  (path: (large: LargeTenant) => string, body: (large: LargeTenant) => object) => (large: LargeTenant) => ({
    method: 'POST',
    path: path(large),
    body: body(large),
  })
const patch =
  (path: (large: LargeTenant) => string, body: (large: LargeTenant) => object) => (large: LargeTenant) => ({
    ...post(path, body)(large),
    method: 'PATCH',
  })
const member = (method: string, path: (large: LargeTenant) => string) => (large: LargeTenant) => ({
  method,
  path: `/member/v1${path(large)}`,
  as_member: true as const,
  ...(method === 'POST' && { body: {} }),
})
const ofMember = (name: string) =>
  get(({ member_id }) => `/v2/members/${member_id}/${name}?limit=100&expand=member`)
const codes = ({ gadget_id }: LargeTenant) =>
  Array.from({ length: 100 }, (_, index) => ({
    code: `*${String(index).padStart(3, '0')}`,
    gadget_id,
    action_id: 'act_1',
  }))

/** A file of a mebibyte, of which nothing is taken. */
const event = 'BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270101T100000Z\r\nEND:VEVENT\r\n'
const largeFile = `BEGIN:VCALENDAR\r\n${event.repeat(Math.floor((1024 * 1024 - 40) / event.length))}END:VCALENDAR\r\n`

/** Objects that are only stored and contain no lists cannot grow. */
function isPlain({ resource, verb }: Endpoint): boolean {
  const { fields, children, policy, parent } = resource
  const lists = Object.values(fields).filter(({ type }) => type.schema.type === 'array')
  return (
    ['list', 'get', 'create', 'edit', 'delete'].includes(verb) &&
    !(children || policy || parent) &&
    lists.length === 0
  )
}

const plainScenarios = Object.fromEntries(
  endpoints.filter(isPlain).map(({ id, verb }) => [id, verb === 'list' ? ownPage : oneRow]),
)

/** Every endpoint of `/v2` by its id. Endpoints of plain kinds need no entry. */
export const apiScenarios: Readonly<Record<string, Scenario>> = {
  ...plainScenarios,
  'organization.get': oneRow,
  'organization.edit': oneRow,
  'organization.privacy_record': 'At most 1,000 recipients; the rest is the same for all.',
  'organization.privacy_preview': get(
    () => '/v2/organization/privacy_preview?access_days=1&other_days=1&device_days=1',
  ),
  'organization.activity': get(() => '/v2/organization/activity?from=2026-01-01T00:00:00Z'),
  'organization.unused': get(() => '/v2/organization/unused?since=2026-11-01T00:00:00Z'),
  'site.uses': get(({ site_id }) => `/v2/sites/${site_id}/uses`),
  'site.floor_plan': 'One picture of at most 500 kB.',
  'site.set_floor_plan': 'One picture of at most 500 kB.',
  'site.history': get(({ site_id }) => `/v2/sites/${site_id}/history?limit=100`),
  'site.list': get(() => '/v2/sites?limit=100'),
  'site.create': oneRow,
  'site.get': oneRow,
  'site.edit': patch(
    ({ site_id }) => `/v2/sites/${site_id}`,
    () => ({ timezone: 'Europe/Lisbon' }),
  ),
  'site.delete': large => ({
    method: 'DELETE',
    path: `/v2/sites/${large.site_id}?cascade=true&dry_run=true`,
  }),
  'product.list': 'The same few for everybody.',
  'product.get': 'The same few for everybody.',
  'device.uses': get(({ device_id }) => `/v2/devices/${device_id}/uses`),
  'device.history': get(({ device_id }) => `/v2/devices/${device_id}/history?limit=100`),
  'device.list': get(() => '/v2/devices?limit=100&expand=gadgets,site,tags,input_rules.gadget'),
  'device.create': oneRow,
  'device.get': get(({ device_id }) => `/v2/devices/${device_id}?expand=gadgets,input_rules.gadget`),
  'device.edit': patch(
    ({ device_id }) => `/v2/devices/${device_id}`,
    large => ({ input_rules: codes(large) }),
  ),
  'device.delete': large => ({
    method: 'DELETE',
    path: `/v2/devices/${large.device_id}?cascade=true&dry_run=true`,
  }),
  'device.issue_credentials': 'Only for hardware, and then one row.',
  'device.revoke_credentials': large => ({
    method: 'DELETE',
    path: `/v2/devices/${large.hardware_device_id}/credentials`,
  }),
  'device.unknown_cards': 'At most 50 cards of one reader.',
  'device.simulate': post(
    ({ device_id }) => `/v2/devices/${device_id}/simulate`,
    ({ member_id }) => ({ phone: { access_method: 'bluetooth', member_id } }),
  ),
  'gadget.uses': get(({ gadget_id }) => `/v2/gadgets/${gadget_id}/uses`),
  'gadget.history': get(({ gadget_id }) => `/v2/gadgets/${gadget_id}/history?limit=100`),
  'gadget.list': get(() => '/v2/gadgets?limit=100&expand=site,device,tags'),
  'gadget.create': 'At most 64 actions, states and signals.',
  'gadget.get': get(({ gadget_id }) => `/v2/gadgets/${gadget_id}?expand=site,device`),
  'gadget.edit': patch(
    ({ gadget_id }) => `/v2/gadgets/${gadget_id}`,
    () => ({ name: 'Another name' }),
  ),
  'gadget.delete': large => ({ method: 'DELETE', path: `/v2/gadgets/${large.spare_gadget_id}` }),
  'gadget.run_action': post(
    ({ gadget_id }) => `/v2/gadgets/${gadget_id}/actions/act_0`,
    () => ({}),
  ),
  'gadget.execute_as_member': post(
    ({ gadget_id }) => `/v2/gadgets/${gadget_id}/actions/act_0/execute_as_member`,
    ({ member_id }) => ({ member_id }),
  ),
  'gadget.access': get(
    ({ gadget_id }) => `/v2/gadgets/${gadget_id}/access?limit=100&expand=member&ever=true`,
  ),
  'gadget_trigger.list': get(() => '/v2/gadget_triggers?limit=100'),
  'gadget_trigger.create': oneRow,
  'gadget_trigger.get': oneRow,
  'gadget_trigger.edit': oneRow,
  'gadget_trigger.delete': oneRow,
  'member.history': get(({ member_id }) => `/v2/members/${member_id}/history?limit=100`),
  'member.list': get(() => '/v2/members?limit=100&expand=emails,pins,group_associations,tags'),
  'member.create': oneRow,
  'member.get': get(
    ({ member_id }) => `/v2/members/${member_id}?expand=emails,group_associations.member_group`,
  ),
  'member.edit': oneRow,
  'member.delete': 'Its children are deleted by statements, whatever their number.',
  'member.invite': post(
    ({ member_id }) => `/v2/members/${member_id}/invitations`,
    () => ({}),
  ),
  'member.access': get(
    ({ member_id }) => `/v2/members/${member_id}/access?limit=100&expand=gadget&ever=true`,
  ),
  'member.sync': get(({ member_id }) => `/v2/members/${member_id}/sync`),
  'member_email.list': ofMember('emails'),
  'member_email.create': oneRow,
  'member_email.get': oneRow,
  'member_email.edit': oneRow,
  'member_email.delete': oneRow,
  'member_magic_link.list': ofMember('magic_links'),
  'member_magic_link.create': oneRow,
  'member_magic_link.get': oneRow,
  'member_magic_link.edit': oneRow,
  'member_magic_link.delete': oneRow,
  'member_magic_link.reveal': oneRow,
  'member_pin.list': ofMember('pins'),
  'member_pin.create': oneRow,
  'member_pin.get': oneRow,
  'member_pin.edit': oneRow,
  'member_pin.delete': oneRow,
  'member_pin.reveal': oneRow,
  'member_card.list': ofMember('cards'),
  'member_card.create': oneRow,
  'member_card.get': oneRow,
  'member_card.edit': oneRow,
  'member_card.delete': oneRow,
  'member_card.lost': oneRow,
  'member_card.replace': oneRow,
  'member_token.list': ofMember('tokens'),
  'member_token.create': oneRow,
  'member_token.get': oneRow,
  'member_token.edit': oneRow,
  'member_token.delete': oneRow,
  'member_group_association.list': get(
    ({ member_id }) => `/v2/members/${member_id}/group_associations?limit=100&expand=member_group`,
  ),
  'member_group_association.create': oneRow,
  'member_group_association.get': oneRow,
  'member_group_association.edit': oneRow,
  'member_group_association.delete': oneRow,
  'member_group.uses': get(({ member_group_id }) => `/v2/member_groups/${member_group_id}/uses`),
  'member_group.history': get(
    ({ member_group_id }) => `/v2/member_groups/${member_group_id}/history?limit=100`,
  ),
  'member_group.list': get(() => '/v2/member_groups?limit=100'),
  'member_group.create': post(
    () => '/v2/member_groups',
    ({ rules }) => ({ name: 'Large', permissions: rules }),
  ),
  'member_group.get': get(
    ({ member_group_id }) => `/v2/member_groups/${member_group_id}?expand=permissions.schedule`,
  ),
  'member_group.edit': patch(
    ({ member_group_id }) => `/v2/member_groups/${member_group_id}`,
    ({ rules }) => ({ permissions: rules.toReversed() }),
  ),
  'member_group.delete': oneRow,
  'schedule.uses': get(({ schedule_id }) => `/v2/schedules/${schedule_id}/uses`),
  'schedule.history': get(({ schedule_id }) => `/v2/schedules/${schedule_id}/history?limit=100`),
  'schedule.list': get(() => '/v2/schedules?limit=100'),
  'schedule.create': post(
    () => '/v2/schedules',
    ({ weekdays }) => ({ name: 'Crowded', weekdays }),
  ),
  'schedule.get': get(({ schedule_id }) => `/v2/schedules/${schedule_id}`),
  'schedule.edit': patch(
    ({ schedule_id }) => `/v2/schedules/${schedule_id}`,
    ({ weekdays }) => ({ weekdays: weekdays.map((day, index) => (index === 0 ? { ranges: [] } : day)) }),
  ),
  'schedule.delete': oneRow,
  'schedule.preview': get(
    ({ special_schedule_id, site_id }) =>
      `/v2/schedules/${special_schedule_id}/preview?site_id=${site_id}&from=2026-11-01&to=2027-12-05`,
  ),
  'site.zone': oneRow,
  'site.days': get(({ site_id }) => `/v2/sites/${site_id}/days?from=2026-11-01&to=2027-12-05`),
  'erasure.list': ownPage,
  'erasure.get': oneRow,
  'erasure.create': post(
    () => '/v2/erasures?dry_run=true',
    ({ member_id }) => ({ member_id }),
  ),
  'erasure.cancel': oneRow,
  'erasure.devices': 'At most 100 devices with 100 doors each, by index.',
  'member.data_export': 'Queues a job, whose batches read at most 500 events.',
  'member.erase': 'The same as erasure.create.',
  'legal_hold.list': 'At most 100 rows with 2,000 IDs each, written in steps.',
  'legal_hold.get': 'At most 2,000 IDs.',
  'legal_hold.create': 'At most 2,000 IDs, looked up by one statement.',
  'legal_hold.edit': 'At most 2,000 IDs, looked up by one statement.',
  'legal_hold.delete': oneRow,
  'calendar.list': ownPage,
  'calendar.create': oneRow,
  'calendar.get': oneRow,
  'calendar.edit': oneRow,
  'calendar.delete': oneRow,
  'calendar.refresh': oneRow,
  'calendar_day.list': ownPage,
  'calendar_day.create': oneRow,
  'calendar_day.get': oneRow,
  'calendar_day.edit': oneRow,
  'calendar_day.delete': oneRow,
  'calendar_day.import': post(
    ({ calendar_id }) => `/v2/calendars/${calendar_id}/days/import`,
    () => ({ ics: largeFile }),
  ),
  'unlock_rule.list': get(() => '/v2/unlock_rules?limit=100'),
  'unlock_rule.create': 'At most 500 doors.',
  'unlock_rule.get': oneRow,
  'unlock_rule.edit': patch(
    ({ unlock_rule_id }) => `/v2/unlock_rules/${unlock_rule_id}`,
    ({ held_doors }) => ({ gadget_ids: held_doors }),
  ),
  'unlock_rule.delete': oneRow,
  'emergency_plan.list': get(() => '/v2/emergency_plans?limit=100'),
  'emergency_plan.create': 'As an emergency, of which it is the plan.',
  'emergency_plan.get': oneRow,
  'emergency_plan.edit': oneRow,
  'emergency_plan.delete': oneRow,
  'emergency.create': post(
    () => '/v2/emergencies',
    ({ site_id }) => ({ type: 'lockdown', targets: { site_ids: [site_id] } }),
  ),
  'emergency.list': get(() => '/v2/emergencies?limit=100'),
  'emergency.get': 'As the list, of one.',
  'emergency.edit': oneRow,
  'emergency.end': 'Its doors are counted by a statement.',
  'emergency.doors': get(
    ({ emergency_id }) => `/v2/emergencies/${emergency_id}/doors?limit=100&expand=gadget`,
  ),
  'gadget.mode': post(
    ({ held_doors }) => `/v2/gadgets/${held_doors[0]}/mode`,
    () => ({ mode: 'controlled' }),
  ),
  'gadget.modes': get(
    ({ held_doors }) =>
      `/v2/gadgets/${held_doors[0]}/modes?from=2026-11-01T00:00:00Z&to=2027-01-31T00:00:00Z`,
  ),
  'site.fire_reset': oneRow,
  'export.create': 'Writes one row. Its job reads pages, and writes them in steps.',
  'job.list': 'A page has at most 100 rows, each with 100 notices of 500 characters at most.',
  'job.get': oneRow,
  'job.edit': oneRow,
  'job.cancel': oneRow,
  'job.start': 'Writes two rows. What the type compares has its own bound.',
  'job.undo': oneRow,
  'alarm.list': get(() => '/v2/alarms?limit=100&expand=site,gadget,cause_alarm'),
  'alarm.get': oneRow,
  'alarm.edit': oneRow,
  'alarm.acknowledge': oneRow,
  'alarm.snooze': oneRow,
  'alarm.close': oneRow,
  'alarm.reopen': oneRow,
  'alarm.acknowledge_many': post(
    () => '/v2/alarms/acknowledge',
    ({ alarm_ids }) => ({ alarm_ids }),
  ),
  'alarm_rule.list': get(() => '/v2/alarm_rules?limit=100&expand=notify.notification_target'),
  'alarm_rule.create': 'At most 1000 objects that it is about, and 80 recipients.',
  'alarm_rule.get': oneRow,
  'alarm_rule.edit': patch(
    ({ alarm_rule_id }) => `/v2/alarm_rules/${alarm_rule_id}`,
    ({ held_doors }) => ({ targets: { gadget_ids: held_doors } }),
  ),
  'alarm_rule.delete': oneRow,
  'notification_target.send_code': oneRow,
  'notification_target.verify': oneRow,
  'notification.list': 'At most 100 rows with 20 attempts each.',
  'notification.get': oneRow,
  'device.maintenance': oneRow,
  'site.maintenance': oneRow,
  'card.list': get(() => '/v2/cards?limit=100'),
  'card.create': oneRow,
  'card.get': oneRow,
  'card.edit': oneRow,
  'card.delete': oneRow,
  'tag.list': ownPage,
  'tag.create': oneRow,
  'tag.get': oneRow,
  'tag.edit': oneRow,
  'tag.uses': 'It counts as that of a schedule.',
  'tag.delete': 'It is taken off everything by one statement.',
  'event.list': get(() => '/v2/events?limit=100&expand=object_member.emails,object_member_group'),
  'event.get': 'As the list, of one.',
  'event.issue_stream_ticket': oneRow,
  'event.unknown_card': oneRow,
  'webhook.list': 'At most 100 rows with 100 filters and 50 expands each, without nesting.',
  'webhook.create': 'At most 100 filters and 50 expands.',
  'webhook.get': oneRow,
  'webhook.edit': 'At most 100 filters and 50 expands.',
  'webhook.delete': oneRow,
  'webhook.test': oneRow,
  'notification_target.test': 'One message without alarms.',
  'webhook.replay': 'Made of statements: nothing of an event is read into the process.',
  'webhook_delivery.list': ownPage,
  'webhook_delivery.get': 'One body, which has a bound of its own.',
  'webhook_delivery.retry': oneRow,
  'grant.create': post(
    () => '/v2/grants',
    ({ member_group_id }) => ({
      member: { name: 'Guest' },
      member_group_ids: [member_group_id],
      credentials: { pin: {} },
    }),
  ),
  'bulk.create': post(
    () => '/v2/bulk',
    () => ({
      operations: Array.from({ length: 100 }, () => ({
        method: 'GET',
        path: '/members?limit=100&expand=emails,pins,group_associations,tags',
      })),
    }),
  ),
  'bulk.edit': post(
    () => '/v2/bulk/edit',
    () => ({ kind: 'members', filter: { q: 'member' }, change: { ends_at: null }, dry_run: true }),
  ),
  'access_check.create': post(
    () => '/v2/access_checks',
    ({ gadget_id, member_id }) => ({ member_id, gadget_id, action_id: 'act_1' }),
  ),
}

/** Every endpoint of the member API by its id. */
export const memberScenarios: Readonly<Record<string, Scenario>> = {
  'email_code.send': noCaller,
  'email_code.check': 'Of one organization at most 50 members are shown, of all at most 1,000.',
  'session.open': 'The answer is a session and what home.get answers.',
  'session.end': oneRow,
  'me.get': oneRow,
  'home.get': member('GET', () => '/home'),
  'site.list': member('GET', () => '/sites'),
  'gadget.list': member('GET', () => '/gadgets'),
  'gadget.run_action': member('POST', ({ gadget_id }) => `/gadgets/${gadget_id}/actions/act_0`),
  'pin.list': member('GET', () => '/pins'),
  'pin.reveal': oneRow,
  'device_pass.issue': member('POST', ({ device_id }) => `/devices/${device_id}/passes`),
  'data_export.get': oneRow,
  'data_export.request': 'Makes a job, as `member.data_export` does.',
}

const besideAll = 'Runs in the service all the time while everything above is asked.'

/** The background jobs of the service. */
export const jobReasons: Readonly<Record<string, string>> = {
  'expire members': besideAll,
  erasures: `${besideAll} A step takes at most 400 events or 200 rows; devices are found in steps, as by \`member.sync\`.`,
  'send invitations': besideAll,
  'weekly reports':
    'One report at a time, each of which reads what GET /organization/activity reads; that is measured.',
  'refresh calendars': `${besideAll} Files are read in steps, tables of holidays in a thread.`,
  emergencies: 'At most 20 rows of an organization.',
  jobs: 'Deletes in batches: what one organization has left is never read as a whole.',
  alarms:
    '100 timers of an organization at a time, in turn; their rules and places are found by the database.',
  stays: `${besideAll} 50 members of an organization at a time, in steps as \`member.sync\`.`,
  overrides: '500 rows at a time, each by itself.',
  suspensions: '200 rows of a kind at a time, each by itself.',
  'overrides until a turn': `${besideAll} The engine is asked in steps.`,
  'forget arrivals': `${besideAll} The engine is asked in steps.`,
  'clean up': 'Statements; nothing of an organization is read into the process.',
  'virtual devices': besideAll,
  'virtual doors': besideAll,
  checkpoint: 'One signed line for each chain.',
  certificates: 'One row of the installation; nothing of an organization.',
  'tell the operator': 'A few rows of the installation; nothing of an organization.',
  ledger: 'A thousand hashes at a time.',
  'finish migrations': 'Migrations; nothing of an organization is read into the process.',
  'complete indexes': 'Indexes; nothing of an organization is read into the process.',
  zones: 'One row for each time zone; nothing of an organization is read into the process.',
  retention:
    'A few hundred events at a time, in transactions of less than 100 ms; organizations take turns of 20 batches.',
  'discard imports': 'Statements; nothing of an organization is read into the process.',
  'purge organizations': 'Statements; nothing of an organization is read into the process.',
}

export const consumerReasons: Readonly<Record<string, string>> = {
  webhooks: `${besideAll} Rendering has a budget for each event and batch.`,
  audit: `${besideAll} An event is digested by itself.`,
  alarms: `${besideAll} A batch is a few statements for each organization, see \`alarms/storm.test.ts\`.`,
  doors: `${besideAll} The policy is asked in steps, and virtual devices take turns by organization.`,
}
