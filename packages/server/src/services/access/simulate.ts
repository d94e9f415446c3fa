import {
  capabilitiesOf,
  invalid,
  type Resources,
  resources,
  type SimulateBody,
  type StoredOf,
} from '@gatehouse-access/api'
import { type KeypadSetup, pressKeys } from '@gatehouse-access/core'
import type { Row } from '../../database/db.ts'
import { withHardwareOutcomes } from '../../devices/commands/with-hardware-outcomes.ts'
import { issuePass } from '../../devices/policy/passes.ts'
import { TooManyMembers, VirtualDevice } from '../../devices/virtual/device.ts'
import type { VirtualMachine } from '../../devices/virtual/machine.ts'
import { mostOfflineMembers } from '../../devices/virtual/slice.ts'
import { Semaphore } from '../../flow/semaphore.ts'
import { findObject } from '../../store/find.ts'
import { pinHashes } from '../members/member-pins.ts'
import type { InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { getObject } from '../objects/objects.ts'

type Device = StoredOf<Resources['device']>

/** `POST /devices/{id}/simulate`: applies an input to a virtual device and returns its reaction. */
export async function simulateDevice({
  work,
  target,
  id,
  readBody,
}: InputOf<'device', 'simulate'>): Promise<Row> {
  const device = await getObject(work, target, id)
  const body = readBody()
  const names = Object.keys(body)
  if (names.length !== 1)
    throw invalid(
      names[1] ?? 'keys',
      `give exactly one of ${Object.keys(simulations).join(', ')}, not ${names.length}`,
    )
  if (device.hardware_id !== null)
    throw invalid('device_id', 'only virtual devices can be simulated; this one has a hardware_id')
  if (device.is_deleted) throw invalid('device_id', 'the device is deleted; restore it first')
  const name = names[0] as keyof typeof simulations
  const simulated = simulations[name] as Simulated<unknown>
  await simulated.check?.(work, device, body[name])
  return withHardwareOutcomes(work.context.commands, commands => {
    const context = { ...work.context, commands }
    return takeTurn(work.caller.organization_id, () =>
      work.db.transaction(db => run({ ...work, context, db }, device, simulated, body[name])),
    )
  })
}

/**
 * A simulation holds a database connection while it runs. Only four run at a time, and one per organization,
 * so that no organization's tests use up the connections of all.
 */
const everybody = new Semaphore(4)
const own = new Map<string, { semaphore: Semaphore; taken: number }>()

async function takeTurn<T>(organizationId: string, simulate: () => Promise<T>): Promise<T> {
  const queue = own.get(organizationId) ?? { semaphore: new Semaphore(1), taken: 0 }
  own.set(organizationId, queue)
  queue.taken++
  try {
    return await queue.semaphore.run(() => everybody.run(simulate))
  } finally {
    if (--queue.taken === 0) own.delete(organizationId)
  }
}

interface Simulated<Value> {
  /** Throws if the device does not support the input. */
  check?(work: Work, device: Device, value: Value): Promise<void> | void
  /** Returns the members that the input may concern. */
  members?(work: Work, device: Device, value: Value): Promise<string[]>
  /** Applies an input to the controller. */
  input?(machine: VirtualMachine, work: Work, device: Device, value: Value): Promise<unknown>
  /** Changes the environment of the device. */
  change?(device: VirtualDevice, value: Value): Promise<void>
}

async function run(work: Work, device: Device, simulated: Simulated<unknown>, value: unknown): Promise<Row> {
  const place = { organization_id: work.caller.organization_id, device_id: device.id }
  const virtual = await VirtualDevice.hold(work.context, work.db, place)
  try {
    const members = (await simulated.members?.(work, device, value)) ?? []
    const events = simulated.input
      ? await virtual.run(members, async machine => simulated.input?.(machine, work, device, value))
      : []
    await simulated.change?.(virtual, value)
    await virtual.save()
    return { ...virtual.describe(events) }
  } catch (error) {
    if (error instanceof TooManyMembers)
      throw invalid(
        'network',
        `a virtual device can take at most ${mostOfflineMembers} members along when it goes offline`,
      )
    throw error
  }
}

const simulations: { readonly [Name in keyof SimulateBody]-?: Simulated<NonNullable<SimulateBody[Name]>> } = {
  keys: {
    check: (_work, device) => requireCapability(device, 'pin', 'keys', 'keypad'),
    members: findPinHolders,
    input: async ({ station }, _work, _device, keys) => {
      for (const key of keys) await station.press(key)
    },
  },
  card: {
    check: (_work, device) => requireCapability(device, 'nfc', 'card', 'card reader'),
    members: (work, _device, { uid }) => findCardHolders(work, uid),
    input: ({ station }, _work, _device, { uid }) => station.tap(uid),
  },
  phone: {
    async check(work, device, { access_method, member_id }) {
      if (access_method === 'mobile_nfc')
        requireCapability(device, 'nfc', 'phone.access_method', 'NFC reader')
      const { organization_id, bounds } = work.caller
      if (!(await findObject(work.db, resources.member, { organization_id, bounds }, member_id)))
        throw invalid('phone.member_id', 'phone.member_id: there is no member with this id')
    },
    members: async (_work, _device, { member_id }) => [member_id],
    input: ({ station }, work, device, { access_method, member_id }) => {
      const { pass } = issuePass(work.context, { member_id, device_id: device.id, seconds: 3600 })
      return station.present(access_method, pass)
    },
  },
  state: {
    check: (work, device, { gadget_id, state_id }) => requireOwn(work, device, 'state', gadget_id, state_id),
    input: (machine, _work, _device, { gadget_id, state_id }) => machine.sense(gadget_id, state_id),
  },
  signal: {
    check: (work, device, { gadget_id, signal_id }) =>
      requireOwn(work, device, 'signal', gadget_id, signal_id),
    input: ({ station }, _work, _device, { gadget_id, signal_id }) =>
      station.reportSignal(gadget_id, signal_id),
  },
  network: { change: (device, network) => device.setNetwork(network === 'online') },
  fault: { change: (device, fault) => device.setFault(fault) },
}

function reachOf({ caller }: Work) {
  return { organization_id: caller.organization_id }
}

function requireCapability(device: Device, capability: 'pin' | 'nfc', field: string, what: string): void {
  if (!capabilitiesOf(device.product_id)[capability])
    throw invalid(field, `${field}: a ${device.product_id} has no ${what}`)
}

async function requireOwn(
  work: Work,
  device: Device,
  kind: 'state' | 'signal',
  gadgetId: string,
  id: string,
): Promise<void> {
  const gadget = await findObject(work.db, resources.gadget, reachOf(work), gadgetId)
  if (!gadget || gadget.is_deleted || gadget.device_id !== device.id)
    throw invalid(`${kind}.gadget_id`, `${kind}.gadget_id: the device has no gadget with this id`)
  const ids = gadget[`${kind}s`].map(entry => entry.id)
  if (!ids.includes(id))
    throw invalid(
      `${kind}.${kind}_id`,
      `${kind}.${kind}_id: the gadget has no ${kind} '${id}'; it has: ${ids.join(', ') || 'none'}`,
    )
}

/**
 * Returns the members whose PINs the keys may form: with the keys typed before, and without them, because the
 * device may have discarded those by now.
 */
async function findPinHolders(work: Work, device: Device, keys: string): Promise<string[]> {
  const pins = [...pinsIn((await typedBefore(work, device)) + keys, device), ...pinsIn(keys, device)]
  const hashes = pins.flatMap(pin =>
    pinHashes(work.context, work.caller.organization_id, pin).map(hash => hash.toString('hex')),
  )
  const rows = await work.db.query<{ member_id: string }>(
    `SELECT DISTINCT member_id FROM member_pins WHERE organization_id = $1 AND is_claimed
     AND pin_hash IN (SELECT decode(hash, 'hex') FROM unnest($2::text[]) AS hash)`,
    [work.caller.organization_id, hashes],
  )
  return rows.map(row => row.member_id)
}

async function typedBefore(work: Work, device: Device): Promise<string> {
  const [row] = await work.db.query<{ keypad: { keys: string } | null }>(
    'SELECT keypad FROM virtual_devices WHERE organization_id = $1 AND device_id = $2',
    [work.caller.organization_id, device.id],
  )
  return row?.keypad?.keys ?? ''
}

function pinsIn(keys: string, device: Device): string[] {
  const anything: KeypadSetup = {
    input_rules: device.input_rules,
    first_action: { gadget_id: '', action_id: '' },
  }
  const { outcomes } = pressKeys(anything, { keys: '', last_key_at: 0 }, keys, 1)
  return outcomes.flatMap(outcome => (outcome.type === 'pin' ? [outcome.pin] : []))
}

async function findCardHolders(work: Work, uid: string): Promise<string[]> {
  const rows = await work.db.query<{ member_id: string }>(
    `SELECT t.member_id FROM member_cards t JOIN cards c ON c.organization_id = t.organization_id AND c.id = t.card_id
     WHERE t.organization_id = $1 AND c.uid = $2 AND NOT t.is_deleted AND NOT c.is_deleted`,
    [work.caller.organization_id, uid],
  )
  return rows.map(row => row.member_id)
}
