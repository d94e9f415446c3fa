import { expect, test } from 'vitest'
import { expandNames, parseExpand, type Resource, resources } from '../src/index.ts'

function expand(resource: Resource, names: string) {
  return parseExpand(resource, expandNames(names))
}

test('nested and plain names make one tree', () => {
  expect(expand(resources.member, 'emails,group_associations.member_group,group_associations')).toEqual({
    emails: {},
    group_associations: { member_group: {} },
  })
  expect(expand(resources.member, '')).toEqual({})
})

test('a declared name may hold a dot of its own', () => {
  expect(expand(resources.member_group, 'permissions.gadget.device.site')).toEqual({
    'permissions.gadget': { device: { site: {} } },
  })
  expect(expand(resources.device, 'input_rules.gadget')).toEqual({ 'input_rules.gadget': {} })
})

test('there is no limit of depth', () => {
  const names = Array.from({ length: 300 }, () => 'emails.member').join('.')
  expect(() => expand(resources.member, names)).not.toThrow()
})

test.each([
  [resources.gadget, 'nothing', "Invalid expand 'nothing' for object 'gadget'"],
  [resources.member, 'emails.nothing', "Invalid expand 'emails.nothing' for object 'member'"],
  [
    resources.member_email,
    'member.pins.nothing',
    "Invalid expand 'member.pins.nothing' for object 'member_email'",
  ],
  [resources.member_group, 'permissions', "Invalid expand 'permissions' for object 'member_group'"],
  [resources.gadget, 'site.', "Invalid expand 'site.' for object 'gadget'"],
  [resources.gadget, '.site', "Invalid expand '.site' for object 'gadget'"],
  [resources.gadget, 'site,', "Invalid expand '' for object 'gadget'"],
  [resources.gadget, 'sites', "Invalid expand 'sites' for object 'gadget'"],
  [resources.gadget, 'Site', "Invalid expand 'Site' for object 'gadget'"],
  [resources.gadget, ' site', "Invalid expand ' site' for object 'gadget'"],
  [resources.gadget, '__proto__', "Invalid expand '__proto__' for object 'gadget'"],
  [resources.webhook, 'constructor', "Invalid expand 'constructor' for object 'webhook'"],
] as [Resource, string, string][])('%#: %s', (resource, names, message) => {
  expect(() => expand(resource, names)).toThrow(
    expect.objectContaining({ message, args: { field: 'expand' } }),
  )
})
