import { addSeconds } from '@gatehouse-access/core'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endEmergenciesOfPlan } from '../../packages/server/src/doors/end-emergency.ts'
import { startEmergency } from '../../packages/server/src/doors/start-emergency.ts'
import { tendEmergencies } from '../../packages/server/src/services/doors/tend-emergencies.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import type { Write } from '../../packages/server/src/store/write.ts'
import { heldDoor, openHouse } from './house.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
})
beforeEach(async () => {
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

function refused(field: string, words: RegExp) {
  return expect.objectContaining({ args: { field }, message: expect.stringMatching(words) })
}

function write<T>(work: (write: Write) => Promise<T>): Promise<T> {
  const { clock, db } = w.server.context
  return db.transaction(inner =>
    work({ db: inner, caller: serviceCaller(tenant.organization_id), now: clock.now() }),
  )
}

async function modeOf(gadget: string) {
  return (await tenant.client.gadgets.get(gadget)).mode?.effective
}

test('a door that is added to a site joins a running emergency, and a gadget that is no door cannot', async () => {
  const { client } = tenant
  const { device_id, doors, site_id } = await openHouse(client, ['Front'])
  const started = await client.emergencies.create({ type: 'lockdown', targets: { site_ids: [site_id] } })
  expect(started).toMatchObject({ name: 'Lockdown', gadget_count: 1, is_active: true })
  const added = await client.gadgets.create({ name: 'Back', device_id, ...heldDoor })
  await client.gadgets.create({ name: 'Light', device_id })
  expect([await modeOf(doors[0] ?? ''), await modeOf(added.id)]).toEqual(['lockdown', 'lockdown'])
  expect(await client.emergencies.get(started.id)).toMatchObject({ gadget_count: 2, cannot_gadget_count: 1 })
  await client.gadgets.delete(added.id)
  const ended = await client.emergencies.end(started.id, { reason: 'False alarm' })
  expect(ended).toMatchObject({ is_active: false, end_reason: 'False alarm', gadget_count: 1 })
  expect(await client.emergencies.end(started.id, { reason: 'Again' })).toEqual(ended)
  expect(await modeOf(doors[0] ?? '')).toBe('controlled')
})

test('a plan is started as it is, and its tags, exclusions and open doors hold', async () => {
  const { client } = tenant
  const { doors } = await openHouse(client, ['Front', 'Back', 'Inside'])
  const [front = '', back = '', inside = ''] = doors
  const tag = await client.tags.create({ name: 'Perimeter', applies_to: ['gadget'] })
  for (const id of doors) await client.gadgets.edit(id, { tag_ids: [tag.id] })
  const plan = await client.emergency_plans.create({
    name: 'Perimeter',
    type: 'lockdown',
    targets: { tag_ids: [tag.id], excluded_gadget_ids: [back] },
    unlocked_gadget_ids: [inside],
    ends_after_seconds: 600,
  })
  expect(plan.offline_hold_seconds).toBe(43_200)
  const emergency = await client.emergencies.create({ emergency_plan_id: plan.id, is_drill: true })
  expect(emergency).toMatchObject({
    name: 'Perimeter',
    ends_at: addSeconds(emergency.started_at, 600),
    is_drill: true,
  })
  expect([await modeOf(front), await modeOf(back), await modeOf(inside)]).toEqual([
    'lockdown',
    'controlled',
    'unlocked',
  ])
  const { data } = await client.events.list({ 'object.type': 'emergency' })
  expect(data[0]?.object).toMatchObject({ is_drill: true, emergency_plan_id: plan.id })
  await client.tags.delete(tag.id)
  expect(await modeOf(front)).toBe('controlled')
})

test('an emergency is renewed every hour, and ends by itself', async () => {
  const { client } = tenant
  const { doors } = await openHouse(client, ['Front'])
  const targets = { gadget_ids: doors }
  const { id } = await client.emergencies.create({ type: 'evacuation', targets, ends_after_seconds: 7200 })
  const forever = await client.emergencies.create({ type: 'evacuation', targets, offline_hold_seconds: null })
  expect(forever.offline_hold_seconds).toBeNull()
  w.clock.advance(3601)
  await tendEmergencies(w.server.context)
  const renewed = await client.emergencies.get(id)
  expect(renewed.renewed_at > addSeconds(renewed.started_at, 3600)).toBe(true)
  w.clock.advance(3600)
  expect(await modeOf(doors[0] ?? '')).toBe('evacuation')
  await client.emergencies.end(forever.id)
  expect(await modeOf(doors[0] ?? '')).toBe('controlled')
  await tendEmergencies(w.server.context)
  expect(await client.emergencies.get(id)).toMatchObject({ is_active: false, end_reason: null })
  const { data } = await client.events.list({ 'object.emergency_id': id, sort: 'created_at:asc' })
  expect(data.map(({ object }) => object.reason)).toEqual([undefined, 'renewed', 'ended'])
})

test('a short lease is renewed before a connected controller could see its end', async () => {
  const { client } = tenant
  const { doors } = await openHouse(client, ['Front'])
  const body = { type: 'lockdown', targets: { gadget_ids: doors }, offline_hold_seconds: 900 } as const
  const { id, renewed_at } = await client.emergencies.create(body)
  w.clock.advance(250)
  await tendEmergencies(w.server.context)
  expect((await client.emergencies.get(id)).renewed_at).toBe(renewed_at)
  w.clock.advance(60)
  await tendEmergencies(w.server.context)
  expect((await client.emergencies.get(id)).renewed_at > addSeconds(renewed_at, 300)).toBe(true)
  await client.emergencies.end(id)
})

test('what doors report decides whether it has arrived, also of the end', async () => {
  const { client } = tenant
  const { device_id, doors } = await openHouse(client, ['Front', 'Back'])
  const [front = '', back = ''] = doors
  const { id } = await client.emergencies.create({ type: 'lockdown', targets: { gadget_ids: doors } })
  await report(front, device_id, [id])
  await report(back, device_id, [id], 'failed')
  expect(await client.emergencies.get(id)).toMatchObject({ confirmed_gadget_count: 1, arrival: 'pending' })
  expect(await statesOf(id)).toEqual({ [front]: 'confirmed', [back]: 'failed' })
  const page = await client.emergencies.doors(id, { state: 'failed', expand: ['gadget'] })
  expect(page.data).toMatchObject([{ gadget_id: back, gadget: { name: 'Back' } }])
  expect((await client.gadgets.get(front)).mode).toMatchObject({ is_confirmed: true })
  expect((await client.gadgets.get(back)).mode).toMatchObject({ is_confirmed: false, confirmed_at: null })

  await client.devices.simulate(device_id, { network: 'offline' })
  await report(front, device_id, [id])
  await report(back, device_id, [], 'done', 'controlled')
  expect(await statesOf(id)).toEqual({ [front]: 'confirmed', [back]: 'offline' })
  w.clock.advance(43_201)
  expect(await statesOf(id)).toEqual({ [front]: 'offline', [back]: 'offline' })

  const ended = await client.emergencies.end(id)
  expect(ended).toMatchObject({ gadget_count: 2, confirmed_gadget_count: 1, arrival: 'pending' })
  const { data } = await client.emergencies.doors(id)
  expect(data.find(({ gadget_id }) => gadget_id === front)).toMatchObject({
    state: 'offline',
    holds_until: addSeconds(ended.renewed_at, 43_200),
  })
  await report(front, device_id, [], 'done', 'controlled')
  expect(await client.emergencies.get(id)).toMatchObject({ confirmed_gadget_count: 2, arrival: 'applied' })
})

async function statesOf(id: string): Promise<Record<string, string>> {
  const { data } = await tenant.client.emergencies.doors(id)
  return Object.fromEntries(data.map(({ gadget_id, state }) => [gadget_id, state]))
}

/** Writes what a device would report. */
async function report(gadget: string, device: string, ids: string[], outcome = 'done', mode = 'lockdown') {
  await w.server.context.db.query(
    `INSERT INTO door_modes (organization_id, gadget_id, device_id, mode, source, emergency_ids, outcome, reported_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (organization_id, gadget_id)
     DO UPDATE SET mode = excluded.mode, source = excluded.source, emergency_ids = excluded.emergency_ids, outcome = excluded.outcome`,
    [
      tenant.organization_id,
      gadget,
      device,
      mode,
      ids.length > 0 ? 'emergency' : 'default',
      ids,
      outcome,
      w.clock.now(),
    ],
  )
}

test('two buttons of one plan make one emergency, and one end ends it', async () => {
  const { client } = tenant
  const { doors } = await openHouse(client, ['Front'])
  const { id } = await client.emergency_plans.create({
    name: 'Panic',
    type: 'lockdown',
    targets: { gadget_ids: doors },
    trigger: { gadget_id: doors[0] ?? '', signal_id: 'button' },
  })
  const at = w.clock.now()
  const start = () => write(inner => startEmergency(inner, { emergency_plan_id: id, at }))
  const [one, other] = await Promise.all([start(), start()])
  expect(one?.id).toBe(other?.id)
  expect(await modeOf(doors[0] ?? '')).toBe('lockdown')
  await write(inner => endEmergenciesOfPlan(inner, id))
  expect(await modeOf(doors[0] ?? '')).toBe('controlled')
  await client.emergency_plans.delete(id)
  expect(await start()).toBeUndefined()
})

test('who starts a plan that runs gets what runs, unless it would not do', async () => {
  const { client } = tenant
  const { doors } = await openHouse(client, ['Front', 'Back'])
  const [front = ''] = doors
  const { id: emergency_plan_id } = await client.emergency_plans.create({
    name: 'Gates',
    type: 'lockdown',
    targets: { gadget_ids: [front] },
    ends_after_seconds: 600,
  })
  const start = async (more: object = {}) => {
    const { id } = await client.emergencies.create({ emergency_plan_id, ...more })
    return id
  }
  const [one, other] = await Promise.all([start({ reason: 'Shots' }), start()])
  expect(one).toBe(other)
  w.clock.advance(5)
  expect(await start()).toBe(one)
  expect(await start({ ends_after_seconds: 60 })).toBe(one)
  const others = [await start({ is_drill: true }), await start({ metadata: { incident: '7' } })]
  w.clock.advance(60)
  others.push(await start())
  await client.emergency_plans.edit(emergency_plan_id, { targets: { gadget_ids: doors } })
  others.push(await start())
  expect(new Set([one, ...others]).size).toBe(5)
  await expect(start({ targets: { gadget_ids: doors } })).rejects.toMatchObject({ status: 400 })
  const { data } = await client.emergencies.list({ is_active: true })
  expect(data).toHaveLength(5)
  const { data: events } = await client.events.list({ 'object.emergency_id': one, verb: 'create' })
  expect(events).toHaveLength(1)
})

test('what makes no sense is refused by its field, and nothing starts', async () => {
  const { client } = tenant
  const { device_id, doors, site_id } = await openHouse(client, ['Front'])
  const light = await client.gadgets.create({ name: 'Light', device_id })
  const [front = ''] = doors
  const targets = { gadget_ids: [front] }
  const group = await client.member_groups.create({ name: 'Police' })
  const plan = await client.emergency_plans.create({ name: 'Plan', type: 'lockdown', targets })
  const start = (body: object) => client.emergencies.create(body)
  await expect(start({})).rejects.toEqual(refused('type', /give emergency_plan_id/))
  await expect(start({ type: 'lockdown', targets: { gadget_ids: [light.id] } })).rejects.toEqual(
    refused('targets', /no door/),
  )
  await expect(start({ emergency_plan_id: plan.id, targets })).rejects.toEqual(
    refused('targets', /must be absent/),
  )
  await expect(start({ type: 'evacuation', targets, exempt_member_group_ids: [group.id] })).rejects.toEqual(
    refused('exempt_member_group_ids', /must be empty/),
  )
  await expect(start({ type: 'lockdown', targets, unlocked_gadget_ids: [light.id] })).rejects.toEqual(
    refused('unlocked_gadget_ids.0', /cannot be held open/),
  )
  await expect(start({ type: 'lockdown', targets, ends_at: w.clock.now() })).rejects.toEqual(
    refused('ends_at', /in the future/),
  )
  await expect(client.emergency_plans.edit(plan.id, { control_gadget_id: light.id })).rejects.toEqual(
    refused('control_gadget_id', /no action 'start'/),
  )
  await expect(
    tenant.clientWith(['full_read_only']).emergencies.create({ emergency_plan_id: plan.id }),
  ).rejects.toMatchObject({ status: 403 })
  expect((await client.emergencies.list()).data).toEqual([])
  const { id: schedule_id } = await client.schedules.create({ name: 'Never', weekdays: never })
  await expect(
    client.unlock_rules.create({ name: 'Light', site_id, gadget_ids: [front, light.id], schedule_id }),
  ).rejects.toEqual(refused('gadget_ids.1', /cannot be held open/))
})

const never = Array.from({ length: 7 }, () => ({ ranges: [] }))

test('what a rule, a plan or a fire names cannot be taken away', async () => {
  const { client } = tenant
  const { device_id, doors, site_id } = await openHouse(client, ['Front'])
  const [front = ''] = doors
  const { id: schedule_id } = await client.schedules.create({ name: 'Never', weekdays: never })
  await client.unlock_rules.create({ name: 'Lobby', site_id, gadget_ids: [front], schedule_id })
  await client.emergency_plans.create({
    name: 'Panic',
    type: 'lockdown',
    targets: { gadget_ids: [front] },
    trigger: { gadget_id: front, signal_id: 'button' },
  })
  await client.sites.edit(site_id, { fire: { source_gadget_id: front, source_state_id: 'opened' } })
  await expect(client.gadgets.edit(front, { door: { release_action_id: 'open' } })).rejects.toEqual(
    refused('door', /unlock_rule/),
  )
  await expect(
    client.gadgets.edit(front, { signals: [], door: { ...heldDoor.door, exit_signal_id: null } }),
  ).rejects.toEqual(refused('signals', /emergency_plan/))
  await expect(client.gadgets.edit(front, { states: [] })).rejects.toEqual(refused('states', /site/))
  const other = await client.sites.create({ name: 'Other', timezone: 'Europe/Madrid' })
  await expect(client.devices.edit(device_id, { site_id: other.id })).rejects.toEqual(
    refused('site_id', /unlock_rule/),
  )
})
