import { list, required, shape } from '../kit/compounds.ts'
import { all, many, one, oneInside } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { bytes, flag, localId, number, reference, text, timestamp } from '../kit/scalars.ts'
import { history } from './history.ts'
import { maintenanceField, setMaintenance } from './maintenance.ts'
import { capabilities, capabilitiesOf, productId } from './product.ts'
import { simulateParts, simulation } from './simulation.ts'
import { suspendable } from './suspension.ts'
import { tagIds } from './tag.ts'
import { unknownCards } from './unknown-card.ts'
import { uses } from './uses.ts'

const inputRule = shape({
  code: required(
    text(32, { min: 0, pattern: /^[0-9#*]*$/, expected: 'at most 32 of the keys 0-9, # and *' }),
    'Keypad prefix. Empty for the default rule.',
  ),
  gadget_id: required(reference('gadget'), 'Destination gadget, on this or another device.'),
  action_id: required(localId, 'An action of that gadget.'),
})

const inputRules = list(inputRule, { max: 100 })

const status = shape({
  online: required(flag, 'True if powered and connected, directly or through gateways.'),
  mains_present: required(flag, 'True if it has mains power.'),
  battery_present: required(flag, 'True if it has a battery.'),
  battery_charging: required(flag, 'True if its battery is charging.'),
  battery_percent: required(number(0, 100), 'Battery charge in percent.'),
  missing_capabilities: required(
    list(text(64), { max: 64 }),
    'What its firmware would have to understand to be sent all of its rules. Those that it would misread are not sent, so it denies too much, never too little.',
  ),
})

export const hardwareId = text(67, {
  pattern: /^hw_[A-Za-z0-9-]{4,64}$/,
  expected: 'a hardware id (hw_ followed by 4 to 64 letters, digits or -)',
})

const credentials = shape({
  device_id: required(reference('device'), 'The device.'),
  hardware_id: required(hardwareId, 'The hardware ID it connects with.'),
  secret: required(text(255), 'The connection secret. Shown only once.'),
})

export const device = resource({
  kind: 'device',
  plural: 'devices',
  path: '/devices',
  about:
    'Hardware installed at a site, or a virtual device for tests (no `hardware_id`), whose actions always succeed.',
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
    'status.online': {
      type: flag,
      about: 'Whether it is connected.',
      operator: 'equal',
      path: 'status.online',
    },
    is_battery_low: {
      type: flag,
      about: 'Whether it has a battery with less than 20 percent.',
      operator: 'equal',
      computed: true,
    },
  },
  actions: {
    history,
    uses,
    issue_credentials: {
      method: 'POST',
      path: '/credentials',
      about:
        'Issues a connection secret. If there is one already, it stops working. The secret is shown only once.',
      scope: 'write',
      answer: credentials,
    },
    revoke_credentials: {
      method: 'DELETE',
      path: '/credentials',
      about:
        'Revokes the connection secret, so that the device can no longer connect. Returns the device and the PINs it knew, which you should replace.',
      scope: 'write',
      answer: 'object',
    },
    simulate: {
      method: 'POST',
      does: 'command',
      path: '/simulate',
      about:
        'Simulates an input or a fault at a virtual device, and returns what the device did. The body has exactly one field.',
      scope: 'write',
      body: simulateParts,
      answer: simulation,
    },
    maintenance: setMaintenance,
    unknown_cards: unknownCards,
  },
  fields: {
    ...identity('device'),
    site_id: field(reference('site'), {
      about: 'The site it is installed at.',
      create: 'required',
      edit: true,
      slice: true,
    }),
    name: nameField({ create: 'required', example: 'Lobby controller' }),
    hardware_id: field(hardwareId, {
      personal: 'technical',
      about: 'Serial number printed on its label. Null for a virtual device.',
      example: 'hw_A1B2-C3D4',
      create: 'optional',
      nullable: true,
      filter: 'equal',
      sort: true,
    }),
    product_id: field(productId, {
      personal: null,
      about: "Its product. Show people the product's name, not this ID.",
      example: 'controller',
      create: 'required',
      filter: 'equal',
    }),
    revision_id: field(text(255), {
      personal: 'technical',
      about: 'Hardware revision reported by the device.',
      nullable: true,
    }),
    gateway_device_id: field(reference('device'), {
      about: 'The gateway it is reached through.',
      nullable: true,
    }),
    input_rules: field(inputRules, {
      personal: null,
      about: 'What typed codes and cards do. Empty unless the product supports input rules.',
      example: [],
      edit: true,
      initial: [],
      slice: { part: required(inputRules, 'Input rules of the device itself. Empty for other devices.') },
    }),
    capabilities: field(capabilities, {
      personal: null,
      about: 'What its product can do.',
      derive: row => capabilitiesOf(String(row.product_id)),
      from: ['product_id'],
      slice: true,
    }),
    status: field(status, {
      personal: 'technical',
      about: 'What the device last reported.',
      initial: {
        online: false,
        mains_present: false,
        battery_present: false,
        battery_charging: false,
        battery_percent: 0,
        missing_capabilities: [],
      },
      render: (held: object | null) => ({ missing_capabilities: [], ...held }),
    }),
    ...suspendable(
      'True while its inputs are suspended: it takes no PIN, card or phone, except for actions that let people out. Its gadgets can still be used online and from other devices.',
    ),
    maintenance_until: maintenanceField('device'),
    offline_since: field(timestamp, { about: 'When it was last lost.', hidden: true, nullable: true }),
    secret_hash: field(bytes, { about: 'Hash of the connection secret.', hidden: true, nullable: true }),
    tag_ids: tagIds('device'),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
