import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addController, building, guest } from './building.ts'
import { ScriptedDevice } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

async function appliedVersion(device_id: string): Promise<number> {
  const [row] = await w.server.context.db.query<{ version: number }>(
    'SELECT applied_version::float8 AS version FROM device_policies WHERE device_id = $1',
    [device_id],
  )
  return row?.version ?? 0
}

test('a device gets its slice, and then what changes', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  const first = await guest(tenant, place.group.id, '402917')
  const device = await ScriptedDevice.connect(place.credentials)
  await device.until(({ policy }) => policy !== undefined)
  expect(device.holder('pin', '402917')).toBe(first.member.id)
  expect(device.member(first.member.id)).toEqual({
    id: first.member.id,
    associations: [{ id: first.association.id, member_group_id: place.group.id }],
    credentials: [{ id: first.pin.id, kind: 'pin', hash: expect.any(String) }],
  })
  expect([...device.slice.gadgets.keys()]).toEqual([place.door.id])

  const second = await guest(tenant, place.group.id, '774421')
  await device.until(() => device.holder('pin', '774421') === second.member.id)
  await client.member_pins.delete(second.member.id, second.pin.id)
  await device.until(() => device.holder('pin', '774421') === undefined)
  await client.members.edit(first.member.id, { ends_at: '2030-01-01T00:00:00Z' })
  await device.until(() => device.member(first.member.id)?.ends_at === '2030-01-01T00:00:00.000000Z')
  await client.members.delete(first.member.id)
  await device.until(() => device.member(first.member.id) === undefined)
  await client.members.edit(first.member.id, { is_deleted: false })
  await device.until(() => device.holder('pin', '402917') === first.member.id)

  const card = await client.member_cards.create(first.member.id, { uid: '04A1B2C3D4E5F6' })
  await device.until(() => device.holder('card', '04A1B2C3D4E5F6') === first.member.id)
  await client.cards.delete(card.card_id)
  await device.until(() => device.holder('card', '04A1B2C3D4E5F6') === undefined)

  const schedule = await client.schedules.create({ name: 'Never', weekdays: Array(7).fill({ ranges: [] }) })
  await client.member_groups.edit(place.group.id, {
    permissions: [{ gadget_id: place.door.id, schedule_id: schedule.id }],
  })
  await device.until(() => device.slice.schedules.has(schedule.id))
  await client.member_groups.edit(place.group.id, { permissions: [] })
  await device.until(() => device.slice.members.size === 0)
  expect(device.slice.groups.size).toBe(0)
  await client.member_groups.edit(place.group.id, { permissions: [{ site_id: place.site.id }] })
  await device.until(() => device.slice.members.size === 2)
  expect(device.received.filter(({ type }) => type === 'snapshot_begin')).toHaveLength(1)
  await device.close()
})

test('a rule for a tag is sent for the doors that have it, as long as they have it', async () => {
  const { client } = tenant
  const place = await building(w, tenant, 'Tagged')
  const tag = await client.tags.create({ name: 'Meeting rooms' })
  await client.member_groups.edit(place.group.id, { permissions: [{ tag_id: tag.id }] })
  const { member } = await guest(tenant, place.group.id, '512917')
  const device = await ScriptedDevice.connect(place.credentials)
  await device.until(({ policy }) => policy !== undefined)
  expect([device.slice.groups.size, device.slice.members.size]).toEqual([0, 0])

  await client.gadgets.edit(place.door.id, { tag_ids: [tag.id] })
  await device.until(it => it.holder('pin', '512917') === member.id)
  expect(device.slice.groups.get(place.group.id)?.permissions).toEqual([
    { gadget_id: place.door.id, tag_id: tag.id, rule_index: 0 },
  ])
  expect((await client.members.sync(member.id)).items.map(({ devices }) => devices)).toEqual([1, 1, 1])
  await client.tags.delete(tag.id)
  await device.until(it => it.slice.members.size === 0)
  expect(device.slice.groups.size).toBe(0)
  await client.tags.edit(tag.id, { is_deleted: false })
  await device.until(it => it.holder('pin', '512917') === member.id)
  expect(device.received.filter(({ type }) => type === 'snapshot_begin')).toHaveLength(1)
  await device.close()
})

test('nothing but what concerns the device is ever sent', async () => {
  const { client } = tenant
  const here = await building(w, tenant, 'Here')
  const there = await building(w, tenant, 'There')
  const stranger = await w.tenant('Strangers')
  const theirs = await building(w, stranger)
  const members = [
    await guest(tenant, here.group.id, '502917'),
    await guest(tenant, there.group.id, '612917'),
    await guest(stranger, theirs.group.id, '722917'),
  ]
  const frames: string[] = []
  const device = await ScriptedDevice.open(here.credentials)
  device.socket.on('message', data => frames.push(String(data)))
  device.hello()
  await device.until(({ policy }) => policy !== undefined)
  await client.members.edit(members[1]?.member.id as string, { name: 'Elsewhere', metadata: { secret: 'x' } })
  await client.members.edit(members[0]?.member.id as string, {
    name: 'Somebody',
    metadata: { note: 'private' },
  })
  await guest(tenant, here.group.id, '832917')
  await device.until(() => device.slice.members.size === 2)
  const sent = frames.join('\n')
  for (const word of [
    '502917',
    '612917',
    '722917',
    '832917',
    'Guest',
    'Somebody',
    'private',
    'Elsewhere',
    'Here',
  ])
    expect(sent).not.toContain(word)
  for (const id of [members[1]?.member.id, there.door.id, there.group.id, theirs.door.id])
    expect(sent).not.toContain(id)
  await device.close()
})

test('each device has hashes of its own, and new ones with a new secret', async () => {
  const place = await building(w, tenant)
  const other = await addController(w, tenant, place.site.id, 'Back door')
  await tenant.client.member_groups.edit(place.group.id, { permissions: [{ site_id: place.site.id }] })
  const { member } = await guest(tenant, place.group.id, '913355')
  const hashOf = (device: ScriptedDevice) => device.member(member.id)?.credentials[0]?.hash
  const devices = await Promise.all(
    [place, other].map(({ credentials }) => ScriptedDevice.connect(credentials)),
  )
  for (const device of devices) await device.until(() => device.holder('pin', '913355') === member.id)
  const [first, second] = devices.map(hashOf)
  expect(first).not.toBe(second)
  const { secret } = await tenant.client.devices.issue_credentials(place.device.id)
  const again = await ScriptedDevice.connect({ ...place.credentials, secret }, devices[0])
  await again.until(() => hashOf(again) !== first)
  expect(again.holder('pin', '913355')).toBe(member.id)
  for (const device of [again, devices[1] as ScriptedDevice]) await device.close()
})

test('coming back, a device gets the difference, or nothing', async () => {
  const place = await building(w, tenant)
  const first = await guest(tenant, place.group.id, '115577')
  const device = await ScriptedDevice.connect(place.credentials)
  await device.until(({ policy }) => policy !== undefined)
  await device.close()
  const second = await guest(tenant, place.group.id, '225577')
  await tenant.client.member_pins.delete(first.member.id, first.pin.id)
  const again = await ScriptedDevice.connect(place.credentials, device)
  const hasBoth = () =>
    again.holder('pin', '225577') === second.member.id && again.holder('pin', '115577') === undefined
  await again.until(hasBoth)
  expect(again.received.map(({ type }) => type)).not.toContain('snapshot_begin')
  await again.close()
  const third = await ScriptedDevice.connect(place.credentials, again)
  const newcomer = await guest(tenant, place.group.id, '335577')
  await third.until(() => third.slice.members.size === 3)
  expect(third.received.map(({ type }) => type)).not.toContain('snapshot_begin')
  // The group and the PIN of the newcomer may come one after the other.
  const told = third.received.flatMap(message =>
    message.type === 'delta' ? (message.put.members ?? []).map(({ id }) => id) : [],
  )
  expect([...new Set(told)]).toEqual([newcomer.member.id])
  await third.close()
})

test('a device that lost its place gets a snapshot', async () => {
  const place = await building(w, tenant)
  await guest(tenant, place.group.id, '118877')
  const device = await ScriptedDevice.connect(place.credentials)
  await device.until(({ policy }) => policy !== undefined)
  device.policy = { version: 99, hash: 'f'.repeat(64) }
  await guest(tenant, place.group.id, '228877')
  await device.until(() => device.slice.members.size === 2)
  expect(device.policy?.version).toBeGreaterThan(1)
  await device.until(() => device.received.filter(({ type }) => type === 'snapshot_end').length === 2)
  await device.close()
  device.policy = { version: 5000, hash: 'e'.repeat(64) }
  const again = await ScriptedDevice.connect(place.credentials, device)
  await again.until(() => again.policy?.version === 5001)
  await again.close()
})

test('the service knows which version a device has confirmed', async () => {
  const place = await building(w, tenant)
  const device = await ScriptedDevice.connect(place.credentials)
  await device.until(({ policy }) => policy !== undefined)
  await expect.poll(() => appliedVersion(device.device_id)).toBe(device.policy?.version)
  device.confirms = false
  const before = device.policy?.version as number
  await guest(tenant, place.group.id, '119977')
  await device.until(() => (device.policy?.version ?? 0) > before)
  expect(await appliedVersion(device.device_id)).toBe(before)
  device.send({
    type: 'applied',
    device_id: device.device_id,
    ...(device.policy as { version: number; hash: string }),
  })
  await expect.poll(() => appliedVersion(device.device_id)).toBe(device.policy?.version)
  await device.close()
})

test('inherited groups and input rules reach the device they concern', async () => {
  const { client } = tenant
  const place = await building(w, tenant)
  const keypad = await client.devices.create({
    name: 'Keypad',
    site_id: place.site.id,
    product_id: 'keypad',
    hardware_id: 'hw_KEYPAD-1',
  })
  await client.devices.edit(keypad.id, {
    input_rules: [{ code: '', gadget_id: place.door.id, action_id: 'open' }],
  })
  const { secret } = await client.devices.issue_credentials(keypad.id)
  const heirs = await client.member_groups.create({
    name: 'Heirs',
    permissions: [
      { member_group_id: place.group.id },
      { gadget_id: place.door.id, access_methods: { online: true } },
    ],
  })
  const { member } = await guest(tenant, heirs.id, '660011')
  const device = await ScriptedDevice.connect({ url: w.url, hardware_id: 'hw_KEYPAD-1', secret })
  await device.until(() => device.holder('pin', '660011') === member.id)
  expect([...device.slice.groups.keys()].sort()).toEqual([place.group.id, heirs.id].sort())
  expect(device.slice.devices.get(keypad.id)).toMatchObject({ input_rules: [{ gadget_id: place.door.id }] })
  await client.devices.edit(keypad.id, { input_rules: [] })
  await device.until(() => device.slice.members.size === 0 && device.slice.gadgets.size === 0)
  await device.close()
})
