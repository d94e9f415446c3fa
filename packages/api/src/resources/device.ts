import { list, required, shape } from '../kit/compounds.ts'
import { all, many, one, oneInside } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { bytes, flag, localId, number, reference, text } from '../kit/scalars.ts'
import type { Type } from '../kit/type.ts'
import { capabilities, capabilitiesOf, productId } from './product.ts'
import { simulateParts, simulation } from './simulation.ts'
import { tagIds } from './tag.ts'

const inputRule = shape({
  code: required(
    text(32, { min: 0, pattern: /^[0-9#*]*$/, expected: 'at most 32 of the keys 0-9, # and *' }),
    'Keypad prefix; empty: the default rule.',
  ),
  gadget_id: required(reference('gadget'), 'Destination gadget, on this device or another.'),
  action_id: required(localId, 'An action of that gadget.'),
})

const inputRules = list(inputRule, { max: 100 })

const status = shape({
  online: required(flag, 'Powered and connected, directly or through gateways.'),
  mains_present: required(flag, 'Has mains power.'),
  battery_present: required(flag, 'Has a battery.'),
  battery_charging: required(flag, 'Its battery is charging.'),
  battery_percent: required(number(0, 100), 'Charge of its battery.'),
})

export const hardwareId = text(67, {
  pattern: /^hw_[A-Za-z0-9-]{4,64}$/,
  expected: 'a hardware id (hw_ and 4 to 64 letters, digits or -)',
})

const credentials = shape({
  device_id: required(reference('device'), 'The device.'),
  hardware_id: required(hardwareId, 'What it connects as.'),
  secret: required(text(255), 'The connection secret; shown this once.'),
})

export const device = resource({
  kind: 'device',
  plural: 'devices',
  path: '/devices',
  about:
    'Hardware installed in a site, or a virtual one for tests (no `hardware_id`), whose actions always succeed.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name'] },
  children: ['gadget'],
  policy: { rows: 'devices', first: ['site_id', 'capabilities'] },
  expands: {
    site: one('site'),
    product: one('product'),
    gadgets: many('gadget', 'device_id'),
    tags: all('tag'),
    'input_rules.gadget': oneInside('input_rules', 'gadget'),
  },
  filters: {
    'status.online': { type: flag, about: 'Connected or not.', operator: 'equal', path: 'status.online' },
  },
  actions: {
    issue_credentials: {
      method: 'POST',
      path: '/credentials',
      about: 'Issues the connection secret, or rotates it: the old one stops working. Shown once.',
      scope: 'write',
      answer: credentials,
    },
    revoke_credentials: {
      method: 'DELETE',
      path: '/credentials',
      about:
        'Revokes the connection secret: the device can no longer connect. Answers the device and the PINs it knew, which should be replaced.',
      scope: 'write',
      answer: 'object',
    },
    simulate: {
      method: 'POST',
      does: 'command',
      path: '/simulate',
      about:
        'Does something to a virtual device, as a person at the door would, and answers what the device did. The body has exactly one field.',
      scope: 'write',
      body: simulateParts,
      answer: simulation as Type<unknown>,
    },
  },
  fields: {
    ...identity('device'),
    site_id: field(reference('site'), {
      about: 'Where it is installed.',
      create: 'required',
      edit: true,
      slice: true,
    }),
    name: nameField({ create: 'required', example: 'Lobby controller' }),
    hardware_id: field(hardwareId, {
      about: 'Serial number printed on its label; null for a virtual device.',
      example: 'hw_A1B2-C3D4',
      create: 'optional',
      nullable: true,
      filter: 'equal',
      sort: true,
    }),
    product_id: field(productId, {
      about: 'Its product; show the name of that to people.',
      example: 'controller',
      create: 'required',
      filter: 'equal',
    }),
    revision_id: field(text(255), { about: 'Hardware revision as the device reports it.', nullable: true }),
    gateway_device_id: field(reference('device'), {
      about: 'The gateway it is reached through.',
      nullable: true,
    }),
    input_rules: field(inputRules, {
      about: 'What typed codes and tapped cards do; empty unless the product supports input rules.',
      example: [],
      edit: true,
      initial: [],
      slice: { part: required(inputRules, 'Of the device itself; empty for others.') },
    }),
    capabilities: field(capabilities, {
      about: 'What its product can do.',
      derive: row => capabilitiesOf(String(row.product_id)),
      from: ['product_id'],
      slice: true,
    }),
    status: field(status, {
      about: 'What the device last reported.',
      initial: {
        online: false,
        mains_present: false,
        battery_present: false,
        battery_charging: false,
        battery_percent: 0,
      },
    }),
    secret_hash: field(bytes, { about: 'Hash of the connection secret.', hidden: true, nullable: true }),
    tag_ids: tagIds('device'),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
