import type { Client } from '@gatehouse-access/sdk'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World
let client: Client
let site_id: string
let device_id: string

beforeAll(async () => {
  w = await world()
  client = (await w.tenant()).client
  site_id = (await client.sites.create({ name: 'Office', timezone: 'Europe/Berlin' })).id
  device_id = (await client.devices.create({ name: 'Controller', site_id, product_id: 'controller' })).id
})
afterAll(() => w[Symbol.asyncDispose]())

const named = (...ids: string[]) => ids.map(id => ({ id, name: id }))
const lists = {
  actions: named('open', 'hold', 'secure', 'leave'),
  states: named('closed', 'open'),
  signals: named('exit', 'tamper'),
}
const plain = {
  release_action_id: 'open',
  hold_action_id: null,
  secure_action_id: null,
  exit_action_ids: [],
  exit_signal_id: null,
  open_state_id: null,
  closed_state_id: null,
  tamper_signal_id: null,
  egress: 'mechanical',
  lock_type: 'fail_secure',
  on_stop: 'secure',
  release_seconds: 5,
  held_open_seconds: 30,
}

let last: string | undefined
/** The controller has room for eight doors, so each test takes away its own. */
async function makeGadget(more: object = {}) {
  if (last) await client.gadgets.delete(last)
  const gadget = await client.gadgets.create({ name: 'Door', device_id, ...lists, ...more })
  last = gadget.id
  return gadget
}

const refused = (field: string, value: string) =>
  expect.objectContaining({
    status: 400,
    args: expect.objectContaining({ field }),
    message: expect.stringContaining(value),
  })

test('a gadget is no door until it says so, and then answers every field', async () => {
  const { id, door } = await makeGadget()
  expect(door).toBeNull()
  expect((await client.gadgets.edit(id, { door: { release_action_id: 'open' } })).door).toEqual(plain)
  expect((await client.gadgets.get(id)).door).toEqual(plain)
  expect((await client.gadgets.edit(id, { door: null })).door).toBeNull()
  expect((await makeGadget({ door: plain })).door).toEqual(plain)
})

test('it is replaced as a whole, the defaults follow the lock, and no change is no event', async () => {
  const whole = {
    ...plain,
    hold_action_id: 'hold',
    secure_action_id: 'secure',
    exit_action_ids: ['leave'],
    exit_signal_id: 'exit',
    open_state_id: 'open',
    closed_state_id: 'closed',
    tamper_signal_id: 'tamper',
    egress: 'electric',
    lock_type: 'fail_safe',
    on_stop: 'secure',
    release_seconds: 300,
    held_open_seconds: null,
  } as const
  const { id, door } = await makeGadget({ door: whole })
  expect(door).toEqual(whole)
  await client.gadgets.edit(id, { door: { ...whole, exit_action_ids: ['leave'] } })
  const edits = async () =>
    (await client.events.list({ 'object.gadget_id': id, 'object.type': 'gadget', verb: 'edit' })).data.length
  expect(await edits()).toBe(0)
  const replaced = await client.gadgets.edit(id, {
    door: { release_action_id: 'open', lock_type: 'fail_safe' },
  })
  expect(replaced.door).toEqual({ ...plain, lock_type: 'fail_safe', on_stop: 'keep' })
  expect(await edits()).toBe(1)
})

test('every id is one of its own', async () => {
  const { id } = await makeGadget()
  const doors: [string, object][] = [
    ['release_action_id', { release_action_id: 'closed' }],
    ['hold_action_id', { hold_action_id: 'melt', secure_action_id: 'secure' }],
    ['secure_action_id', { hold_action_id: 'hold', secure_action_id: 'melt' }],
    ['exit_action_ids.1', { exit_action_ids: ['leave', 'flee'] }],
    ['exit_signal_id', { exit_signal_id: 'open' }],
    ['open_state_id', { open_state_id: 'ajar', closed_state_id: 'closed' }],
    ['closed_state_id', { open_state_id: 'open', closed_state_id: 'shut' }],
    ['tamper_signal_id', { tamper_signal_id: 'bell' }],
  ]
  for (const [field, part] of doors) {
    const door = { release_action_id: 'open', ...part }
    const value = String(Object.entries(door).find(([name]) => field.startsWith(name))?.[1])
      .split(',')
      .at(-1)
    await expect(client.gadgets.edit(id, { door })).rejects.toEqual(refused(`door.${field}`, `'${value}'`))
    await expect(client.gadgets.create({ name: 'D', device_id, ...lists, door })).rejects.toEqual(
      refused(`door.${field}`, `'${value}'`),
    )
  }
  expect((await client.gadgets.get(id)).door).toBeNull()
})

test('what belongs together is given together', async () => {
  const { id } = await makeGadget()
  const cases: [string, string, object][] = [
    ['release_action_id', 'is required', { release_action_id: undefined }],
    ['secure_action_id', "'hold'", { hold_action_id: 'hold' }],
    ['hold_action_id', "'secure'", { secure_action_id: 'secure' }],
    ['closed_state_id', "'open'", { open_state_id: 'open' }],
    ['open_state_id', "'closed'", { closed_state_id: 'closed' }],
    ['secure_action_id', "'hold'", { hold_action_id: 'hold', secure_action_id: 'hold' }],
    ['closed_state_id', "'open'", { open_state_id: 'open', closed_state_id: 'open' }],
    ['exit_signal_id', "'electric'", { egress: 'electric' }],
    ['egress', '"none"', { egress: 'none' }],
    ['release_seconds', '0', { release_seconds: 0 }],
    ['release_seconds', '301', { release_seconds: 301 }],
    ['held_open_seconds', '4', { held_open_seconds: 4 }],
    ['colour', 'colour', { colour: 'red' }],
  ]
  for (const [field, value, part] of cases)
    await expect(
      client.gadgets.edit(id, { door: { release_action_id: 'open', ...part } as never }),
    ).rejects.toEqual(refused(`door.${field}`, value))
})

test('what a door names stays, until the door no longer names it', async () => {
  const door = { ...plain, exit_signal_id: 'exit', open_state_id: 'open', closed_state_id: 'closed' } as const
  const { id } = await makeGadget({ door })
  await expect(client.gadgets.edit(id, { actions: named('hold') })).rejects.toEqual(
    refused('actions', 'actions open cannot be removed while door.release_action_id names it'),
  )
  await expect(client.gadgets.edit(id, { states: named('closed') })).rejects.toEqual(
    refused('states', 'door.open_state_id'),
  )
  await expect(client.gadgets.edit(id, { signals: [] })).rejects.toEqual(
    refused('signals', 'door.exit_signal_id'),
  )
  await client.gadgets.edit(id, { actions: named('open', 'ring') })
  const free = { release_action_id: 'ring' }
  expect(await client.gadgets.edit(id, { actions: named('ring'), signals: [], door: free })).toMatchObject({
    door: { release_action_id: 'ring', exit_signal_id: null },
  })
})

test('locks for one door are doors from the start', async () => {
  for (const [product_id, release_action_id] of [
    ['roomlock', 'open'],
    ['cylinder', 'open'],
    ['controller-mini', 'open'],
    ['padlock', undefined],
  ] as const) {
    const device = await client.devices.create({ name: product_id, site_id, product_id })
    const { data } = await client.gadgets.list({ device_id: device.id })
    expect(data[0]?.door?.release_action_id).toBe(release_action_id)
  }
})
