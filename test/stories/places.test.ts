import type { Client } from '@gatehouse-access/sdk'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { daily, openHouse } from '../doors/house.ts'
import { hotel } from './hotel.ts'

let w: World
let client: Client

beforeAll(async () => {
  w = await world()
  client = (await w.tenant()).client
})
afterAll(() => w[Symbol.asyncDispose]())

const refused = (field: string) =>
  expect.objectContaining({ status: 400, type: 'invalid_request', args: expect.objectContaining({ field }) })

async function controllerIn(site_id: string, more: object = {}) {
  return client.devices.create({ name: 'Controller', site_id, product_id: 'controller', ...more })
}

test('a site needs a name and a known time zone', async () => {
  await expect(client.sites.create({ name: 'X', timezone: 'Europe/Nowhere' })).rejects.toEqual(
    refused('timezone'),
  )
  await expect(client.sites.create({ name: 'X', timezone: '+01:00' })).rejects.toEqual(refused('timezone'))
  const site = await client.sites.create({ name: 'X', timezone: 'europe/madrid' })
  expect(site.timezone).toBe('Europe/Madrid')
})

test('a site with living devices is deleted only with cascade, and a dry run says what would go', async () => {
  const { site, controller, door } = await hotel(client)
  await expect(client.sites.delete(site)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(controller),
  })
  await expect(client.sites.edit(site, { is_deleted: true })).rejects.toMatchObject({ status: 400 })
  const plan = await client.sites.delete(site, { dry_run: true })
  expect(plan).toMatchObject({
    is_deleted: false,
    would_delete: expect.arrayContaining([{ kind: 'gadget', id: door, name: 'Front door' }]),
  })
  expect(await client.sites.delete(site, { cascade: true })).toMatchObject({ is_deleted: true })
  expect(await client.gadgets.get(door)).toMatchObject({ is_deleted: true })
  const deletes = await client.events.list({ 'object.site_id': site, verb: 'delete' })
  expect(deletes.data.map(event => event.object.type).sort()).toEqual(['device', 'gadget', 'gadget', 'site'])
  await expect(client.gadgets.edit(door, { is_deleted: false })).rejects.toEqual(refused('is_deleted'))
})

test('a site or a device is restored alone, or with what was deleted together with it', async () => {
  const { site_id, device_id, doors } = await openHouse(client, ['Front', 'Back'])
  const [front = '', back = ''] = doors
  const lock = await client.devices.create({ name: 'Room 1', site_id, product_id: 'cylinder' })
  const { id: schedule_id } = await client.schedules.create({ name: 'Day', weekdays: daily })
  const rule = await client.unlock_rules.create({ name: 'Day', site_id, schedule_id, gadget_ids: doors })
  const living = async () => {
    const all = { device_id, front, back, lock: lock.id, rule: rule.id }
    const { data } = await client.events.list({
      'object.site_id': site_id,
      limit: 100,
      sort: 'created_at:asc',
    })
    const gone = new Map(
      data.map(({ verb, object }) => [
        object.unlock_rule_id ?? object.gadget_id ?? object.device_id,
        verb === 'delete',
      ]),
    )
    return Object.entries(all).flatMap(([name, id]) => (gone.get(id) ? [] : [name]))
  }
  await client.gadgets.delete(back)
  await client.sites.delete(site_id, { cascade: true })
  expect(await living()).toEqual([])
  await client.sites.edit(site_id, { is_deleted: false }, { cascade: true })
  // The other door had been deleted before.
  expect(await living()).toEqual(['device_id', 'front', 'lock', 'rule'])
  expect((await client.gadgets.list({ device_id: lock.id })).data).toHaveLength(1)

  await client.devices.delete(device_id, { cascade: true })
  await client.devices.edit(device_id, { is_deleted: false, name: 'Cellar' })
  expect(await living()).toEqual(['device_id', 'lock', 'rule'])
  await client.gadgets.edit(front, { is_deleted: false })
  await client.devices.delete(device_id, { cascade: true })
  await client.devices.edit(device_id, { is_deleted: false }, { cascade: true })
  expect(await living()).toEqual(['device_id', 'front', 'lock', 'rule'])
  // It restores nothing that was deleted alone, nor for an edit of what lives.
  await client.gadgets.delete(front)
  await client.devices.edit(device_id, { is_deleted: false }, { cascade: true })
  expect(await living()).toEqual(['device_id', 'lock', 'rule'])
})

test('a site whose label is at another device by now is not restored in part, and the refusal names the device', async () => {
  const site = await client.sites.create({ name: 'Annex', timezone: 'Europe/Madrid' })
  const taken = await controllerIn(site.id, { hardware_id: 'hw_TAKEN-1', name: 'Annex controller' })
  await controllerIn(site.id, { name: 'Other' })
  await client.sites.delete(site.id, { cascade: true })
  const elsewhere = await client.sites.create({ name: 'Tower', timezone: 'Europe/Madrid' })
  const now = await controllerIn(elsewhere.id, { hardware_id: 'hw_TAKEN-1' })
  const restore = () => client.sites.edit(site.id, { is_deleted: false }, { cascade: true })
  await expect(restore()).rejects.toMatchObject({ status: 400, message: expect.stringContaining(taken.id) })
  expect((await client.sites.get(site.id)).is_deleted).toBe(true)
  expect((await client.devices.list({ site_id: site.id })).data).toEqual([])
  await client.devices.delete(now.id)
  await restore()
  expect((await client.devices.list({ site_id: site.id })).data).toHaveLength(2)
})

test('a virtual device is online; a real one has a unique hardware id and a secret of its own', async () => {
  const site = (await hotel(client)).site
  expect((await controllerIn(site)).status).toMatchObject({ online: true })
  const real = await controllerIn(site, { hardware_id: 'hw_AB-12' })
  expect(real.status).toMatchObject({ online: false })
  await expect(controllerIn(site, { hardware_id: 'hw_AB-12' })).rejects.toEqual(refused('hardware_id'))
  await expect(controllerIn(site, { product_id: 'toaster' })).rejects.toEqual(refused('product_id'))
  const credentials = await client.devices.issue_credentials(real.id)
  expect(credentials).toMatchObject({
    device_id: real.id,
    hardware_id: 'hw_AB-12',
    secret: expect.stringMatching(/^ghd_/),
  })
  await client.devices.revoke_credentials(real.id)
  const events = await client.events.list({ 'object.type': 'hardware', 'object.device_id': real.id })
  expect(events.data.map(event => event.verb)).toEqual(['delete', 'create'])
  expect(JSON.stringify(events)).not.toContain(credentials.secret)
})

test('devices hold as many gadgets as their product says', async () => {
  const site = (await hotel(client)).site
  const gateway = await controllerIn(site, { product_id: 'gateway' })
  await expect(client.gadgets.create({ name: 'Door', device_id: gateway.id })).rejects.toEqual(
    refused('device_id'),
  )

  const lock = await controllerIn(site, { product_id: 'roomlock', name: 'Room 1' })
  const [only] = (await client.gadgets.list({ device_id: lock.id })).data
  expect(only).toMatchObject({ name: 'Room 1', state_id: 'closed' })
  await expect(client.gadgets.create({ name: 'Second', device_id: lock.id })).rejects.toEqual(
    refused('device_id'),
  )
  await expect(client.gadgets.delete(only?.id ?? '')).rejects.toMatchObject({ status: 400 })
  await client.devices.delete(lock.id)
  expect(await client.gadgets.get(only?.id ?? '')).toMatchObject({ is_deleted: true })
  await client.devices.edit(lock.id, { is_deleted: false })
  expect(await client.gadgets.get(only?.id ?? '')).toMatchObject({ is_deleted: false })

  const controller = await controllerIn(site)
  for (let count = 0; count < 8; count++)
    await client.gadgets.create({ name: `Door ${count}`, device_id: controller.id })
  await expect(client.gadgets.create({ name: 'Ninth', device_id: controller.id })).rejects.toEqual(
    refused('device_id'),
  )
})

test('input rules: no code is a prefix of another, a default rule pushes the others to * and #', async () => {
  const { site, door } = await hotel(client)
  const keypad = await controllerIn(site, { product_id: 'keypad' })
  const rules = (...codes: string[]) =>
    client.devices.edit(keypad.id, {
      input_rules: codes.map(code => ({ code, gadget_id: door, action_id: 'open' })),
    })
  await expect(rules('1', '12')).rejects.toEqual(refused('input_rules.0.code'))
  await expect(rules('', '12')).rejects.toEqual(refused('input_rules.1.code'))
  await expect(rules('1', '1')).rejects.toEqual(refused('input_rules.0.code'))
  await expect(rules('a')).rejects.toEqual(refused('input_rules.0.code'))
  expect((await rules('', '*1', '#2')).input_rules).toHaveLength(3)
  await expect(
    client.devices.edit(keypad.id, { input_rules: [{ code: '', gadget_id: door, action_id: 'fly' }] }),
  ).rejects.toEqual(refused('input_rules.0.action_id'))
  const lock = await controllerIn(site, { product_id: 'cylinder' })
  await expect(
    client.devices.edit(lock.id, { input_rules: [{ code: '', gadget_id: door, action_id: 'open' }] }),
  ).rejects.toEqual(refused('input_rules'))
  const shown = await client.devices.get(keypad.id, { expand: ['input_rules.gadget', 'site', 'product'] })
  expect(shown).toMatchObject({
    input_rules: [{ gadget: { name: 'Front door' } }, {}, {}],
    site: { id: site },
    product: { name: 'Keypad reader' },
  })
})

test('an action in use cannot be removed, and moving a device moves its gadgets', async () => {
  const { door, back, controller, site } = await hotel(client)
  await client.gadgets.edit(back, { signals: [{ id: 'bell', name: 'Bell' }] })
  const trigger = await client.gadget_triggers.create({
    source_type: 'signal',
    source_gadget_id: back,
    source_signal_id: 'bell',
    target_gadget_id: door,
    target_action_id: 'open',
  })
  await expect(client.gadgets.edit(door, { actions: [] })).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/mg_/),
  })
  const elsewhere = await client.sites.create({ name: 'Elsewhere', timezone: 'UTC' })
  await client.devices.edit(controller, { site_id: elsewhere.id })
  expect(await client.gadgets.get(door)).toMatchObject({ site_id: elsewhere.id })
  expect(await client.gadget_triggers.get(trigger.id)).toMatchObject({ site_id: elsewhere.id })
  const { data: moves } = await client.events.list({ 'object.gadget_trigger_id': trigger.id, verb: 'edit' })
  expect(moves.map(event => event.object.site_id)).toEqual([elsewhere.id])
  expect(await client.sites.delete(site)).toMatchObject({ is_deleted: true })
})

test('a trigger connects gadgets of one site that reach each other', async () => {
  const { door, back, site, controller } = await hotel(client)
  await client.gadgets.edit(door, {
    states: [{ id: 'open', name: 'Open' }],
    signals: [{ id: 'bell', name: 'Bell' }],
  })
  const trigger = await client.gadget_triggers.create({
    source_type: 'state',
    source_gadget_id: door,
    source_state_id: 'open',
    target_gadget_id: back,
    target_action_id: 'open',
  })
  expect(trigger).toMatchObject({ site_id: site, source_signal_id: null })
  const wrong = (body: object) =>
    client.gadget_triggers.create({
      source_type: 'signal',
      target_gadget_id: back,
      target_action_id: 'open',
      ...body,
    })
  await expect(wrong({ source_gadget_id: door })).rejects.toEqual(refused('source_signal_id'))
  await expect(
    wrong({ source_gadget_id: door, source_signal_id: 'bell', source_state_id: 'open' }),
  ).rejects.toEqual(refused('source_state_id'))
  await expect(wrong({ source_gadget_id: door, source_signal_id: 'nope' })).rejects.toEqual(
    refused('source_signal_id'),
  )
  const other = await hotel(client)
  await expect(
    wrong({ source_gadget_id: door, source_signal_id: 'bell', target_gadget_id: other.door }),
  ).rejects.toEqual(refused('source_gadget_id'))
  await expect(client.gadgets.edit(door, { states: [] })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(trigger.id),
  })
  const second = await controllerIn(site)
  const light = await client.gadgets.create({
    name: 'Light',
    device_id: second.id,
    actions: [{ id: 'on', name: 'On' }],
  })
  await client.gadget_triggers.create({
    source_type: 'state',
    source_gadget_id: door,
    source_state_id: 'open',
    target_gadget_id: light.id,
    target_action_id: 'on',
  })
  await expect(client.devices.edit(controller, { site_id: other.site })).rejects.toEqual(refused('site_id'))
  const schedule = await client.schedules.create({
    name: 'Day',
    weekdays: Array.from({ length: 7 }, () => ({ ranges: [] })),
  })
  expect(
    await client.gadget_triggers.create({
      source_type: 'schedule',
      source_schedule_id: schedule.id,
      source_schedule_event: 'enter',
      target_gadget_id: light.id,
      target_action_id: 'on',
    }),
  ).toMatchObject({ source_gadget_id: null })
})

test('gadgets that are created at once fill a device to its last place, and no further', async () => {
  const { controller } = await hotel(client)
  const created = await Promise.allSettled(
    Array.from({ length: 20 }, () => client.gadgets.create({ name: 'Door', device_id: controller })),
  )
  const refused = created.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBe(14)
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ status: 400, message: expect.stringMatching(/already has its 8 gadgets/) })
})
