import { required, type Shape, shape } from '../kit/compounds.ts'
import { field, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { choice, flag, integer, text } from '../kit/scalars.ts'

const capabilityParts = {
  gadgets: required(choice('none', 'single', 'multiple'), 'How many gadgets it can have.'),
  gadget_max_count: required(integer(0, 1000), '0 if `gadgets` is `none`, 1 if it is `single`.'),
  script: required(flag, 'Supports gadgets with custom scripts.'),
  internet: required(flag, 'Connects to the cloud directly rather than through gateways.'),
  ethernet: required(flag, 'Has Ethernet.'),
  wifi: required(flag, 'Has Wi-Fi.'),
  cellular: required(flag, 'Has a cellular modem.'),
  pin: required(flag, 'Has a keypad.'),
  nfc: required(flag, 'Reads physical or phone-emulated cards.'),
  input_rules: required(flag, 'Supports input rules.'),
  mains: required(flag, 'Can be mains powered.'),
  battery: required(flag, 'Can be battery powered.'),
  battery_rechargeable: required(flag, 'Has a battery charged from mains.'),
  audio: required(flag, 'Has a buzzer.'),
}

export const capabilities = shape(capabilityParts)
export type Capabilities = Shape<typeof capabilityParts>

const nothing: Capabilities = {
  gadgets: 'none',
  gadget_max_count: 0,
  script: false,
  internet: false,
  ethernet: false,
  wifi: false,
  cellular: false,
  pin: false,
  nfc: false,
  input_rules: false,
  mains: false,
  battery: false,
  battery_rechargeable: false,
  audio: false,
}

function model(id: string, name: string, able: Partial<Capabilities>) {
  return { id, name, capabilities: { ...nothing, ...able } }
}

const one = { gadgets: 'single', gadget_max_count: 1 } as const

/** The built-in catalog, the same for every organization. */
export const catalogue: readonly { id: string; name: string; capabilities: Capabilities }[] = [
  model('gateway', 'Gateway', { internet: true, ethernet: true, wifi: true, mains: true }),
  model('cellular-gateway', 'Cellular gateway', {
    internet: true,
    ethernet: true,
    cellular: true,
    mains: true,
    battery: true,
    battery_rechargeable: true,
  }),
  model('controller', 'Door controller', {
    gadgets: 'multiple',
    gadget_max_count: 8,
    script: true,
    internet: true,
    ethernet: true,
    wifi: true,
    input_rules: true,
    nfc: true,
    pin: true,
    mains: true,
    audio: true,
  }),
  model('controller-mini', 'Single-door controller', {
    ...one,
    internet: true,
    ethernet: true,
    nfc: true,
    mains: true,
  }),
  model('relay-module', 'Relay module', {
    gadgets: 'multiple',
    gadget_max_count: 16,
    script: true,
    mains: true,
  }),
  model('keypad', 'Keypad reader', { pin: true, nfc: true, input_rules: true, mains: true, audio: true }),
  model('reader', 'Card reader', { nfc: true, input_rules: true, mains: true, audio: true }),
  model('cylinder', 'Cylinder', { ...one, nfc: true, battery: true, audio: true }),
  model('roomlock', 'Roomlock', { ...one, nfc: true, pin: true, battery: true, audio: true }),
  model('padlock', 'Padlock', { ...one, nfc: true, battery: true }),
  model('locker-bank', 'Locker bank', {
    gadgets: 'multiple',
    gadget_max_count: 64,
    internet: true,
    ethernet: true,
    pin: true,
    nfc: true,
    input_rules: true,
    mains: true,
  }),
]

const byId = new Map(catalogue.map(entry => [entry.id, entry]))

export function capabilitiesOf(productId: string): Capabilities {
  return byId.get(productId)?.capabilities ?? nothing
}

export const productId = text(64, { pattern: /^[a-z0-9-]+$/, expected: 'a product id' })

export const product = resource({
  kind: 'product',
  plural: 'products',
  path: '/products',
  about: 'A hardware model from the built-in catalog. Show people its name, not its ID.',
  verbs: ['list', 'get'],
  search: { fields: ['name'] },
  logged: false,
  fields: {
    id: field(productId, {
      personal: null,
      about: 'Unique identifier of the product.',
      example: 'controller',
      sort: true,
    }),
    name: nameField({ edit: false, example: 'Door controller' }),
    capabilities: field(capabilities, {
      personal: null,
      about: 'What devices of this model can do.',
      example: { ...nothing },
    }),
  },
})
