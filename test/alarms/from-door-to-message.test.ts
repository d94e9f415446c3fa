import { addSeconds } from '@gatehouse-access/core'
import { closeVirtualDoors } from '@gatehouse-access/server'
import { type Receiver, receiver, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { grace } from '../../packages/server/src/alarms/presence-watch.ts'
import { tendAlarms } from '../../packages/server/src/alarms/tend-alarms.ts'
import { tellPeople } from '../../packages/server/src/telling/sending/tell-people.ts'
import { addController, building } from '../devices/building.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { daily } from '../doors/house.ts'
import { addDoor, wholeDoor } from '../doors/wired-building.ts'
import { openSmtp, type Smtp } from '../telling/smtp.ts'
import { addVirtualDoor, mailsTo, publishedTo } from './guarded-doors.ts'
import { settled } from './settled.ts'

/** Doors and devices on one side, mailboxes and receivers on the other. */
const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
let http: Receiver
let smtp: Smtp
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

beforeAll(async () => {
  http = owned.use(await receiver())
  smtp = owned.use(await openSmtp())
  w = owned.use(await world({ delivery: true, devices: { sweep: 200 }, smtp_url: smtp.url }))
})
beforeEach(async () => {
  tenant = await w.tenant()
  http.received.length = 0
})
afterAll(() => owned.disposeAsync())

type Rule = Parameters<Tenant['client']['alarm_rules']['create']>[0]

async function tellOf(types: Rule['types'], parts: Partial<Rule> = {}) {
  const { client } = tenant
  const target = await client.notification_targets.create({ kind: 'http', url: http.url + own(), secret })
  await client.alarm_rules.create({
    name: 'Rule',
    types,
    notify: [{ notification_target_id: target.id }],
    ...parts,
  })
}

interface Told {
  readonly reason: string
  readonly alarm_count: number
  readonly alarms: readonly { readonly place: string }[]
}

/** Devices of other tests are lost meanwhile. */
const own = () => `/${tenant.organization_id}`
const told = () =>
  http.received.filter(({ path }) => path === own()).map(({ event }) => event as unknown as Told)
const counts = () => told().map(({ reason, alarm_count }) => `${reason} ${alarm_count}`)

async function after(...pauses: number[]) {
  for (const seconds of pauses) {
    w.clock.advance(seconds)
    await closeVirtualDoors(w.server.context)
    await tendAlarms(w.server.context)
    await tellPeople(w.server.context)
  }
}

test('a virtual door is opened without a release: a mail and a message to a topic, and their ends', async () => {
  const { client } = tenant
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const door = await addVirtualDoor({ client, site_id: site.id, smtp, ntfy: http }, 'gate')
  const subjects = () => mailsTo(smtp, door.address).map(({ subject }) => subject)
  await after(10)
  await door.touch('open')
  await after(1.9)
  expect(subjects()).toEqual([])
  await after(0.1, 2)
  expect(subjects()).toEqual(['Door forced open, gate, House'])
  await door.touch('closed')
  await after(1, 2)
  expect(subjects()).toEqual(['Door forced open, gate, House', 'Over: Door forced open, gate, House'])
  expect(publishedTo(http, door.topic).map(({ event }) => event.priority)).toEqual([5, 2])
})

test('a rule that unlocks ends with the door open: held, not forced, and told; and so is its end', async () => {
  const { client } = tenant
  w.clock.set('2027-06-01T15:00:00Z')
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const device = await client.devices.create({ name: 'Box', site_id: site.id, product_id: 'controller' })
  const { id: gadget_id } = await client.gadgets.create({ name: 'Gate', device_id: device.id, ...wholeDoor })
  const schedule = await client.schedules.create({ name: 'Office', weekdays: daily })
  await client.unlock_rules.create({
    name: 'Office',
    site_id: site.id,
    gadget_ids: [gadget_id],
    schedule_id: schedule.id,
  })
  await tellOf(['door_forced', 'door_held'])
  const move = (state_id: string) => client.devices.simulate(device.id, { state: { gadget_id, state_id } })
  await expect.poll(async () => (await client.gadgets.get(gadget_id)).state_id).toBe('open')
  await move('open')
  await after(3600.5, 29)
  expect(counts()).toEqual([])
  await after(1, 10)
  expect(told()).toMatchObject([{ reason: 'opened', alarms: [{ type: 'door_held' }] }])
  await move('closed')
  await after(1, 10)
  expect(told().slice(1)).toMatchObject([{ reason: 'ended', alarms: [{ type: 'door_held' }] }])
})

test('a gateway with 50 devices is cut: one is told, 50 are explained, and 3 that stay away are told later', async () => {
  const { client } = tenant
  const gateway = await building(w, tenant, 'Gateway')
  const locks = await Promise.all(
    Array.from({ length: 50 }, (_, index) => addController(w, tenant, gateway.site.id, `Lock ${index}`)),
  )
  await tellOf(['device_offline'])
  const attach = async (device: ScriptedDevice, some: typeof locks) => {
    for (const { credentials } of some) {
      const { hardware_id } = credentials
      device.send({
        type: 'attach',
        hardware_id,
        secret: credentials.secret,
        journal: { id: `journal-${hardware_id}`, last_sequence: 0 },
      })
    }
    for (const _ of some) await device.next('attached')
    await settled(w)
  }
  const first = await ScriptedDevice.connect(gateway.credentials)
  await attach(first, locks)
  w.clock.advance(grace)
  await first.close()
  const online = async () => (await client.devices.list({ 'status.online': true })).data.length
  await expect.poll(online).toBe(0)
  await settled(w)
  await after(299)
  expect(counts()).toEqual([])
  await after(2, 1, 1, 10)
  expect(counts()).toEqual(['opened 1'])
  expect(told()[0]?.alarms[0]?.place).toContain('Gateway')
  const alarms = await client.alarms.list({ type: 'device_offline', limit: 100 })
  const cause = alarms.data.find(({ device_id }) => device_id === gateway.device.id)
  expect(alarms.data.filter(({ cause_alarm_id }) => cause_alarm_id === cause?.id)).toHaveLength(50)

  const second = await ScriptedDevice.connect(gateway.credentials, first)
  await attach(second, locks.slice(3))
  await after(1, 10)
  expect(counts()).toEqual(['opened 1', 'ended 1'])
  await after(285)
  expect(counts()).toHaveLength(2)
  await after(10, 10)
  expect(counts().slice(2)).toEqual(['opened 3'])
  expect(
    told()[2]
      ?.alarms.map(({ place }) => place.split(',')[0])
      .sort(),
  ).toEqual(['Lock 0', 'Lock 1', 'Lock 2'])
  await after(3600)
  expect(counts()).toHaveLength(3)
  await second.close()
})

test('a controller was offline for 6 hours with 40 alarms: one digest, and the door that stands open alone', async () => {
  const { client } = tenant
  const site = await client.sites.create({ name: 'School', timezone: 'Europe/Madrid' })
  const { device, door, credentials } = await addDoor(w, tenant, site.id, 100)
  const doors = [door.id]
  for (let number = 1; number < 8; number++)
    doors.push(
      (await client.gadgets.create({ name: `Door ${number}`, device_id: device.id, ...wholeDoor })).id,
    )
  await tellOf(['door_forced', 'door_held'])
  const [known = '', flapping = '', open = '', ...others] = doors
  const connected = await ScriptedDevice.connect(credentials)
  await connected.until(({ policy }) => policy !== undefined)
  const begun = w.clock.now()
  const at = (seconds: number) => addSeconds(begun, seconds)
  const common = { type: 'alarm', alarm_type: 'door_forced' } as const
  const begin = (gadget_id: string, since: number) => ({
    ...common,
    ...{ gadget_id, is_over: false, started_at: at(since), occurred_at: at(since + 2) },
  })
  const end = (gadget_id: string, since: number, until: number) => ({
    ...common,
    ...{ gadget_id, is_over: true, started_at: at(since), ended_at: at(until), occurred_at: at(until + 0.3) },
  })
  const upload = async (device: ScriptedDevice, events: Parameters<ScriptedDevice['events']>[0]) => {
    device.events(events)
    await device.next('ack')
  }
  // One door had an alarm before that nobody has closed.
  w.clock.advance(10)
  await upload(connected, [begin(known, 5), end(known, 5, 7)])
  await after(2, 60)
  expect(counts()).toEqual(['opened 1'])
  await connected.close()

  const inside = [
    ...Array.from({ length: 8 }, (_, time) => [flapping, 3600 + time * 20] as const),
    ...Array.from({ length: 8 }, (_, time) => [known, 4000 + time * 900] as const),
    ...Array.from({ length: 24 }, (_, time) => [others[time % 5] ?? '', 12_000 + time * 300] as const),
  ]
  expect(inside).toHaveLength(40)
  const events = inside.flatMap(([id, since]) => [begin(id, since), end(id, since, since + 10)])
  w.clock.advance(6 * 3600)
  const again = await ScriptedDevice.connect(credentials, connected)
  await upload(again, [...events, begin(open, 20_000)])
  // Telling looks more often than what calms alarms that flap.
  await tellPeople(w.server.context)
  await after(0, 2, 10, 20, 10, 60, 600)
  const [alone, digest, ...more] = told().slice(1)
  expect(alone).toMatchObject({ reason: 'opened', alarm_count: 1 })
  expect(digest).toMatchObject({ reason: 'digest', alarm_count: 7 })
  expect(more).toEqual([])
  expect((await client.alarms.list({ gadget_id: open })).data).toMatchObject([
    { is_over: false, is_late: true },
  ])
  const { data } = await client.alarms.list({ gadget_id: known })
  expect(data).toMatchObject([{ is_over: true, is_late: true, occurrence_count: 9 }])
  await again.close()
})
