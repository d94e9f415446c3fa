import { expect, test } from 'vitest'
import {
  passCarriers,
  placeResources,
  type Resource,
  resources,
  sentOfMembers,
  sliceColumns,
  sliceValues,
  touchesPolicy,
} from '../src/index.ts'

test.each<[Resource, string[], string[]]>([
  [resources.site, ['timezone', 'geo', 'pins_alarmed_until', 'is_deleted'], ['name', 'map', 'metadata']],
  [resources.device, ['site_id', 'product_id', 'input_rules', 'is_deleted'], ['status', 'secret_hash']],
  [resources.gadget, ['site_id', 'actions', 'states', 'signals', 'tag_ids'], ['state_id', 'last_action_at']],
  [resources.unlock_rule, ['schedule_id', 'is_enabled', 'arrivals'], ['name', 'metadata']],
  [resources.emergency, ['targets', 'ends_at', 'ended_at', 'renewed_at'], ['end_reason', 'metadata']],
  [resources.emergency_plan, ['targets', 'control_gadget_id', 'trigger'], ['name', 'metadata']],
  [resources.schedule, ['weekdays', 'is_deleted'], ['name']],
  [resources.member_group, ['permissions', 'is_deleted'], ['name', 'tag_ids']],
  [resources.gadget_trigger, ['source_state_id', 'target_action_id'], ['metadata']],
  [resources.member, ['starts_at', 'ends_at', 'is_deleted'], ['name', 'language', 'auto_delete_at']],
  [resources.member_group_association, ['starts_at', 'ends_at'], ['metadata']],
  [resources.member_pin, ['is_deleted', 'pin_ciphertext'], ['last_used_at', 'metadata']],
  [resources.card, ['uid', 'is_deleted'], ['name', 'printed_code']],
  [resources.organization, ['is_deleted'], ['name', 'features']],
])('what counts as a change of the policy: $kind', (resource, policy, others) => {
  for (const name of policy) expect([name, touchesPolicy(resource, { [name]: null })]).toEqual([name, true])
  expect(touchesPolicy(resource, Object.fromEntries(others.map(name => [name, null])))).toBe(false)
})

test('what devices are told of', () => {
  const kinds = (list: Iterable<Resource>) => [...list].map(({ kind }) => kind).sort()
  expect(kinds(placeResources.values())).toEqual([
    'device',
    'gadget',
    'gadget_trigger',
    'member_group',
    'schedule',
    'site',
  ])
  expect(kinds(sentOfMembers)).toEqual(['member', 'member_card', 'member_group_association', 'member_pin'])
  expect(kinds(passCarriers)).toEqual(['member_email', 'member_magic_link', 'member_token'])
})

test('a row of a slice has its fields in an order that stays, and nothing that is null', () => {
  expect(sliceColumns(resources.site)).toEqual(['timezone', 'geo', 'pins_alarmed_until'])
  expect(sliceColumns(resources.device)).toEqual([
    'site_id',
    'product_id',
    'input_rules',
    'is_suspended',
    'suspended_until',
  ])
  const site = { id: 'site_1', geo: null, pins_alarmed_until: null, timezone: 'UTC', name: 'Hall' }
  expect(JSON.stringify(sliceValues(resources.site, site))).toBe('{"id":"site_1","timezone":"UTC"}')
  const gadget = {
    id: 'gad_1',
    site_id: 's',
    device_id: 'd',
    actions: [{ id: 'open', name: 'Open' }],
    states: [],
    signals: [],
    door: null,
  }
  expect(JSON.stringify(sliceValues(resources.gadget, gadget))).toBe(
    '{"id":"gad_1","site_id":"s","device_id":"d","actions":[{"id":"open"}],"states":[],"signals":[]}',
  )
  const door = { release_action_id: 'open', held_open_seconds: null }
  expect(sliceValues(resources.gadget, { ...gadget, door })).toHaveProperty('door', {
    release_action_id: 'open',
    egress: 'mechanical',
    lock_type: 'fail_secure',
    on_stop: 'secure',
    release_seconds: 5,
  })
})
