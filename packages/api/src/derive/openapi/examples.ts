import type { Endpoint } from '../../endpoints.ts'
import { shape } from '../../kit/compounds.ts'
import type { Field } from '../../kit/field.ts'
import type { Resource } from '../../kit/resource.ts'
import { resourceOf, resources } from '../../resources/index.ts'
import { fieldsFor } from '../bodies.ts'
import { isAnswered } from '../filters.ts'
import { exampleId, exampleOf } from './example-values.ts'

type Values = Record<string, unknown>

/** Returns the example value of a field. */
export function exampleValue(field: Field): unknown {
  if (field.example !== undefined) return field.example
  if (field.initial !== undefined) return field.initial
  return field.nullable ? null : exampleOf(field.type.schema)
}

/** Returns an example object as GET returns it. */
export function exampleObject(resource: Resource): Values {
  const fields = Object.entries(resource.fields).filter(([, field]) => isAnswered(field))
  const values: Values = Object.fromEntries(fields.map(([name, field]) => [name, exampleValue(field)]))
  for (const [name, field] of fields) {
    if (field.derive && field.example === undefined) values[name] = field.derive(values)
    if (field.render) values[name] = field.render(values[name])
  }
  return values
}

export function exampleRevealed(resource: Resource): Values {
  const secrets = Object.entries(resource.reveals ?? {}).map(([name, field]) => [name, exampleValue(field)])
  return { ...exampleObject(resource), ...Object.fromEntries(secrets) }
}

/** A time that was to come when the examples were written. */
export const exampleUntil = '2026-11-14T12:30:00Z'

/** Bodies whose fields exclude or require each other, which the field declarations do not express. */
const chosenBodies: Readonly<Record<string, Values>> = {
  // Without its privacy settings, which no token can change.
  'organization.edit': { name: 'Hotel Miramar', metadata: { source: 'pms', sourceID: 'R-1001' } },
  'member_card.create': { uid: '04A1B2C3D4E5F6' },
  'gadget_trigger.create': {
    source_type: 'schedule',
    source_schedule_id: exampleId('schedule'),
    source_schedule_event: 'enter',
    target_gadget_id: exampleId('gadget'),
    target_action_id: 'open',
  },
  'calendar_day.import': { country: 'ES', region: 'MD', years: [2027, 2028] },
  'device.simulate': { keys: '*1345678#' },
  'alarm.snooze': { until: exampleUntil },
  'device.maintenance': { until: exampleUntil },
  'site.maintenance': { until: exampleUntil },
  'site.set_floor_plan': { image: 'data:image/png;base64,iVBORw0KGgo=' },
  'gadget_trigger.edit': { metadata: { source: 'bms' } },
  'access_check.create': {
    member_id: exampleId('member'),
    gadget_id: exampleId('gadget'),
    action_id: 'open',
  },
  'emergency.create': {
    emergency_plan_id: exampleId('emergency_plan'),
    reason: 'Drill of the spring term',
    is_drill: true,
  },
  'member_card.replace': { uid: '04B2C3D4E5F607', lost_reason: 'Left in a taxi' },
  'export.create': { kind: 'members', filter: { member_group_id: exampleId('member_group') }, format: 'csv' },
  'bulk.edit': {
    kind: 'members',
    filter: { member_group_id: exampleId('member_group') },
    change: { add_tag_ids: [exampleId('tag')] },
    dry_run: true,
  },
  'bulk.create': {
    operations: [
      { id: 'ada', method: 'POST', path: '/members', body: { name: 'Ada' } },
      { method: 'POST', path: '/members/$ada.id/emails', body: { email: 'ada@example.com' } },
    ],
    atomic: true,
  },
  'grant.create': {
    external_id: 'R-1002',
    member: {
      name: 'Reservation R-1002',
      starts_at: '2026-12-01T14:00:00Z',
      ends_at: '2026-12-05T11:00:00Z',
      metadata: { source: 'pms', sourceID: 'R-1002' },
    },
    member_group_ids: [exampleId('member_group')],
    credentials: { emails: ['guest@example.com'], magic_link: true, pin: {} },
  },
}

/** Returns a body that the endpoint accepts; undefined when it accepts none. */
export function exampleBody(endpoint: Endpoint): Values | undefined {
  const { id, body, resource } = endpoint
  if (body === undefined || chosenBodies[id]) return chosenBodies[id]
  if (typeof body === 'object') return exampleOf(shape(body).schema) as Values
  const shown = fieldsFor(resource, body).filter(([, field]) => isShown(field, body))
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleValue(field)]))
}

function isShown(field: Field, verb: 'create' | 'edit'): boolean {
  if (verb === 'create' && field.create === 'required') return true
  return field.example !== undefined && !(Array.isArray(field.example) && field.example.length === 0)
}

const chosenAnswers: Readonly<Record<string, () => Values>> = {
  'bulk.create': () => ({
    results: [
      { id: 'ada', status: 200, body: exampleObject(resources.member), headers: { etag: '"5f0d1c9be2"' } },
      {
        id: null,
        status: 200,
        body: exampleObject(resources.member_email),
        headers: { etag: '"b1946ac92e"' },
      },
    ],
  }),
  'device.issue_credentials': () => ({
    device_id: exampleId('device'),
    hardware_id: exampleValue(resources.device.fields.hardware_id),
    secret: 'ghd_4vJ8mQ2sX7kRz1Wc9LhTn5Yb0PfGdE3uVxAaKiSoMqY',
  }),
  'device.simulate': () => ({
    events: [
      {
        type: 'use',
        occurred_at: '2026-11-14T09:30:00.123456Z',
        gadget_id: exampleId('gadget'),
        action_id: 'open',
        access_method: 'pin',
        member_id: exampleId('member'),
        credential_id: exampleId('member_pin'),
      },
    ],
    online: true,
    buffered_events: 0,
    fault: null,
    fault_until: null,
  }),
  'grant.create': () => ({
    ...exampleObject(resources.member),
    external_id: 'R-1002',
    name: 'Reservation R-1002',
    metadata: { source: 'pms', sourceID: 'R-1002' },
    emails: [exampleObject(resources.member_email)],
    magic_links: [exampleRevealed(resources.member_magic_link)],
    pins: [exampleRevealed(resources.member_pin)],
    group_associations: [exampleObject(resources.member_group_association)],
  }),
}

export function exampleAnswer(endpoint: Endpoint): Values {
  const chosen = chosenAnswers[endpoint.id]
  if (chosen) return chosen()
  const { answer, resource, verb } = endpoint
  if (answer === 'page') return examplePage(resource)
  if (answer === 'revealed') return exampleRevealed(resource)
  if (answer !== 'object')
    return 'page_of' in answer
      ? examplePage(resourceOf(answer.page_of))
      : (exampleOf(answer.schema) as Values)
  return verb === 'delete' ? { ...exampleObject(resource), is_deleted: true } : exampleObject(resource)
}

function examplePage(resource: Resource): Values {
  return { data: [exampleObject(resource)], has_next: true, cursor_next: exampleCursor }
}

export const exampleCursor = 'WyIyMDI2LTExLTE0VDA5OjMwOjAwLjEyMzQ1NloiXQ'
