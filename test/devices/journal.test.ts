import { addSeconds } from '@gatehouse-access/core'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { building, guest } from './building.ts'
import { ScriptedDevice } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

async function eventsOf(filter: Record<string, string>) {
  const { data } = await tenant.client.events.list({ ...filter, limit: 100 })
  return data.toReversed()
}

test('buffered events are stored once, in order, with their own times', async () => {
  const place = await building(w, tenant)
  const { member, pin } = await guest(tenant, place.group.id, '402919')
  const device = await ScriptedDevice.connect(place.credentials)
  w.clock.advance(900)
  const at = (seconds: number) => addSeconds(w.clock.now(), seconds)
  const opened = at(-600)
  const rung = at(-300)
  const use = {
    type: 'use',
    occurred_at: opened,
    gadget_id: place.door.id,
    action_id: 'open',
    access_method: 'pin',
    member_id: member.id,
    credential_id: pin.id,
  } as const
  device.events([
    use,
    { type: 'state', occurred_at: opened, gadget_id: place.door.id, state_id: 'open' },
    { type: 'signal', occurred_at: rung, gadget_id: place.door.id, signal_id: 'bell' },
    {
      type: 'denial',
      occurred_at: rung,
      gadget_id: place.door.id,
      action_id: 'open',
      access_method: 'pin',
      reason: 'unknown_credential',
    },
  ])
  expect(await device.next('ack')).toMatchObject({ journal_id: device.journal_id, sequence: 4 })
  device.last_sequence = 0
  device.events([use, { ...use, occurred_at: at(-100) }])
  expect(await device.next('ack')).toMatchObject({ sequence: 4 })

  const events = await eventsOf({ 'object.device_id': place.device.id, 'created_at:ge': opened })
  const reported = events.filter(
    event => !['device', 'gadget'].includes(event.object.type) && event.object.type !== 'hardware',
  )
  expect(reported.map(({ verb, object, created_at }) => [verb, object.type, created_at])).toEqual([
    ['use', 'gadget_action', opened],
    ['edit', 'gadget_state', opened],
    ['create', 'gadget_signal', rung],
    ['create', 'access_denial', rung],
  ])
  expect(reported[0]).toMatchObject({
    subject: { member_id: member.id, member_pin_id: pin.id, access_method: 'pin' },
    object: { gadget_action_id: 'open', site_id: place.site.id },
    clock_adjusted: false,
  })
  expect(reported[3]).toMatchObject({ object: { reason: 'unknown_credential' } })
  expect(await tenant.client.gadgets.get(place.door.id)).toMatchObject({
    state_id: 'open',
    last_action_at: opened,
  })
  expect(await tenant.client.member_pins.get(member.id, pin.id)).toMatchObject({ last_used_at: opened })
  await device.close()
})

test('times are clamped between the previous event and now', async () => {
  const place = await building(w, tenant)
  const device = await ScriptedDevice.connect(place.credentials)
  const signal = (occurred_at: string) =>
    ({ type: 'signal', occurred_at, gadget_id: place.door.id, signal_id: 'bell' }) as const
  w.clock.advance(90)
  const first = addSeconds(w.clock.now(), -60)
  device.events([signal(first), signal(addSeconds(first, -3600))])
  await device.next('ack')
  device.events([signal(addSeconds(w.clock.now(), 3600))])
  await device.next('ack')
  const events = await eventsOf({ 'object.gadget_id': place.door.id, 'object.type': 'gadget_signal' })
  expect(events.map(event => event.clock_adjusted).sort()).toEqual([false, true, true])
  for (const { created_at } of events) {
    expect(created_at >= first).toBe(true)
    expect(created_at <= w.clock.now()).toBe(true)
  }
  await device.close()
})

test('a journal goes on after a reconnect; a new one begins anew', async () => {
  const place = await building(w, tenant)
  const signal = () =>
    ({ type: 'signal', occurred_at: w.clock.now(), gadget_id: place.door.id, signal_id: 'bell' }) as const
  const device = await ScriptedDevice.connect(place.credentials)
  device.events([signal(), signal()])
  await device.next('ack')
  await device.close()
  const again = await ScriptedDevice.open(place.credentials)
  Object.assign(again, { journal_id: device.journal_id, last_sequence: 2 })
  again.hello()
  expect((await again.next('welcome')).acknowledged_sequence).toBe(2)
  again.events([signal()])
  expect((await again.next('ack')).sequence).toBe(3)
  await again.close()
  const replaced = await ScriptedDevice.open(place.credentials)
  replaced.hello()
  expect((await replaced.next('welcome')).acknowledged_sequence).toBe(0)
  replaced.events([signal()])
  expect((await replaced.next('ack')).sequence).toBe(1)
  expect(await eventsOf({ 'object.gadget_id': place.door.id, 'object.type': 'gadget_signal' })).toHaveLength(
    4,
  )
  await replaced.close()
})

test('what a device may not tell of is passed, and said so', async () => {
  const place = await building(w, tenant)
  const foreign = await building(w, await w.tenant('Others'))
  const device = await ScriptedDevice.connect(place.credentials)
  device.events([
    { type: 'signal', occurred_at: w.clock.now(), gadget_id: foreign.door.id, signal_id: 'bell' },
    { type: 'lost', occurred_at: w.clock.now(), from_sequence: 2, count: 1 },
  ])
  expect((await device.next('ack')).sequence).toBe(2)
  const events = await eventsOf({ 'object.device_id': place.device.id, 'object.type': 'device' })
  const reasons = events.map(event => event.object.reason).filter(reason => reason !== 'online')
  expect(reasons.filter(Boolean)).toEqual(['event_refused', 'events_lost'])
  await device.close()
})

test('a denial names only what this device can know: its credentials, reasons, actions and methods', async () => {
  const place = await building(w, tenant)
  const elsewhere = await building(w, tenant, 'Elsewhere')
  const { member, pin } = await guest(tenant, place.group.id, '640128')
  const other = await guest(tenant, elsewhere.group.id, '640129')
  const denial = {
    type: 'denial',
    occurred_at: w.clock.now(),
    gadget_id: place.door.id,
    action_id: 'open',
    access_method: 'pin',
    member_id: member.id,
    credential_id: pin.id,
    reason: 'outside_schedule',
  } as const
  const nobody = { ...denial, member_id: undefined, credential_id: undefined, reason: 'unknown_credential' }
  const stranger = { ...denial, member_id: other.member.id, credential_id: other.pin.id }
  const wrong = [
    stranger,
    { ...denial, reason: 'because_i_say_so' },
    { ...denial, reason: 'not_present' },
    { ...denial, reason: 'unknown_credential' },
    { ...nobody, reason: 'member_ended' },
    { ...denial, action_id: 'close' },
    { ...nobody, action_id: 'close' },
    { ...denial, access_method: 'online' as const },
    { ...denial, access_method: 'card' as const },
    { ...denial, type: 'use' as const, action_id: 'close', reason: undefined },
  ]
  const right = [denial, nobody, { ...denial, access_method: 'bluetooth' as const, credential_id: undefined }]
  const device = await ScriptedDevice.connect(place.credentials)
  device.events([...wrong, ...right] as never)
  expect((await device.next('ack')).sequence).toBe(wrong.length + right.length)
  const events = await eventsOf({ 'object.device_id': place.device.id })
  const told = events.filter(
    ({ object }) => object.type === 'access_denial' || object.type === 'gadget_action',
  )
  expect(told.map(({ object }) => object.reason)).toEqual(right.map(({ reason }) => reason))
  expect(events.filter(({ object }) => object.reason === 'event_refused')).toHaveLength(wrong.length)
  await device.close()
})

test('the rules of an older controller are told while they are certain', async () => {
  const place = await building(w, tenant)
  const { member, pin, association } = await guest(tenant, place.group.id, '640130')
  const device = await ScriptedDevice.connect(place.credentials)
  const hasApplied = async () => {
    const [row] = await w.server.context.db.query<{ is_current: boolean }>(
      'SELECT version > 0 AND applied_version = version AS is_current FROM device_policies WHERE device_id = $1',
      [place.device.id],
    )
    return row?.is_current
  }
  await expect.poll(hasApplied).toBe(true)
  device.confirms = false
  const deny = async () => {
    w.clock.advance(60)
    const { id: member_group_id } = place.group
    const tried = { member_group_association_id: association.id, member_group_id, rule_index: 0 }
    device.events([
      {
        type: 'denial',
        occurred_at: w.clock.now(),
        gadget_id: place.door.id,
        action_id: 'open',
        access_method: 'pin',
        member_id: member.id,
        credential_id: pin.id,
        reason: 'method_not_allowed',
        rules: [{ ...tried, is_inherited: false, failed: 'method_not_allowed' }],
      },
    ])
    await device.next('ack')
    return (await eventsOf({ 'object.type': 'access_denial', 'object.device_id': place.device.id })).at(-1)
  }
  const known = { timezone: 'Europe/Madrid', utc_offset: expect.any(Number) }
  const rules = [{ member_group_id: place.group.id, rule_index: 0, gadget_id: place.door.id }]
  expect((await deny())?.object.decided_by).toEqual({ ...known, rules })
  await tenant.client.member_groups.edit(place.group.id, { permissions: [{}] })
  expect((await deny())?.object.decided_by).toEqual(known)
  await device.close()
})

test('nothing happened at a device before it was made', async () => {
  const place = await building(w, tenant)
  const device = await ScriptedDevice.connect(place.credentials)
  const occurred_at = addSeconds(place.device.created_at, -3600)
  device.events([{ type: 'signal', occurred_at, gadget_id: place.door.id, signal_id: 'bell' }])
  await device.next('ack')
  const events = await eventsOf({ 'object.gadget_id': place.door.id, 'object.type': 'gadget_signal' })
  expect(events).toMatchObject([{ created_at: place.device.created_at, clock_adjusted: true }])
  await device.close()
})

test('the status of a device is told; only a low battery is an event', async () => {
  const place = await building(w, tenant)
  const { client } = tenant
  const count = async () =>
    (await eventsOf({ 'object.device_id': place.device.id, 'object.type': 'device' })).length
  const device = await ScriptedDevice.connect(place.credentials)
  const before = await count()
  const { device_id } = device
  device.send({
    type: 'status',
    device_id,
    mains_present: true,
    battery_present: true,
    battery_percent: 21.5,
  })
  await expect
    .poll(async () => (await client.devices.get(device_id)).status)
    .toMatchObject({
      online: true,
      mains_present: true,
      battery_percent: 21.5,
    })
  expect(await count()).toBe(before)
  device.send({ type: 'status', device_id, mains_present: false, battery_percent: 19 })
  await expect.poll(count).toBe(before + 1)
  device.send({ type: 'status', device_id, battery_percent: 18 })
  await expect.poll(async () => (await client.devices.get(device_id)).status.battery_percent).toBe(18)
  expect(await count()).toBe(before + 1)
  await device.close()
  await expect.poll(count).toBe(before + 2)
  expect((await client.devices.get(device_id)).status.online).toBe(false)
})

test('a request is noticed, so that buffered events give way to it', async () => {
  const { traffic } = w.server.context
  await expect.poll(() => traffic.isBusy()).toBe(false)
  const isNoticed = async () => {
    await tenant.client.members.list({ limit: 1 })
    return traffic.isBusy()
  }
  await expect.poll(isNoticed).toBe(true)
})

test('a whole batch is stored while requests come', async () => {
  const place = await building(w, tenant)
  const device = await ScriptedDevice.connect(place.credentials)
  const occurred_at = addSeconds(w.clock.now(), -60)
  const signal = { type: 'signal', occurred_at, gadget_id: place.door.id, signal_id: 'bell' } as const
  const ended = new AbortController()
  const asking = (async () => {
    while (!ended.signal.aborted) await tenant.client.members.list({ limit: 1 })
  })()
  for (const sequence of [500, 1000, 1500]) {
    device.events(Array.from({ length: 500 }, () => signal))
    expect(await device.next('ack', 60_000)).toMatchObject({ sequence })
  }
  ended.abort()
  await asking
  const [row] = await w.server.context.db.query(
    `SELECT count(*)::integer AS count FROM events WHERE organization_id = $1 AND object->>'gadget_id' = $2 AND verb = 'create'
     AND object->>'type' = 'gadget_signal'`,
    [tenant.organization_id, place.door.id],
  )
  expect(row).toEqual({ count: 1500 })
  await device.close()
})
