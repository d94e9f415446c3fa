import { closeVirtualDoors } from '@gatehouse-access/server'
import { type Receiver, receiver, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { conditionKey } from '../../packages/server/src/alarms/condition.ts'
import { endAlarms } from '../../packages/server/src/alarms/end-alarms.ts'
import { openAlarms } from '../../packages/server/src/alarms/open-alarms.ts'
import { tendAlarms } from '../../packages/server/src/alarms/tend-alarms.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { tellPeople } from '../../packages/server/src/telling/sending/tell-people.ts'
import { heldDoor } from '../doors/house.ts'
import { found, signUp } from '../oauth/people.ts'
import { openTellings } from './tellings.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
let http: Receiver
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

beforeAll(async () => {
  http = owned.use(await receiver())
  w = owned.use(await world({ is_reachable: true }))
})
beforeEach(async () => {
  tenant = await w.tenant()
  http.received.length = 0
})
afterAll(() => owned.disposeAsync())

const told = () => http.received.map(({ event }) => `${event.reason} ${event.alarm_count}`)

test('a gateway explains what is attached to it; what does not come back is told after its delay', async () => {
  const { client, organization_id } = tenant
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const add = (name: string) => client.devices.create({ name, site_id: site.id, product_id: 'controller' })
  const gateway = await add('Gateway')
  const attached = []
  for (let index = 0; index < 5; index++) attached.push((await add(`Lock ${index}`)).id)
  await w.server.context.db.query('UPDATE devices SET gateway_device_id = $2 WHERE id = ANY($1::text[])', [
    attached,
    gateway.id,
  ])
  const target = await client.notification_targets.create({ kind: 'http', url: http.url, secret })
  await client.alarm_rules.create({
    name: 'Offline',
    types: ['device_offline'],
    notify: [{ notification_target_id: target.id }],
  })
  const author = () => ({ caller: serviceCaller(organization_id), now: w.clock.now() })
  const offline = (id: string) => ({
    type: 'device_offline' as const,
    condition_key: conditionKey('device_offline', id),
    device_id: id,
    started_at: w.clock.now(),
  })
  const { context } = w.server
  const open = (ids: readonly string[]) =>
    context.db.transaction(db => openAlarms(db, author(), ids.map(offline)))
  const end = (ids: readonly string[]) =>
    context.db.transaction(db =>
      endAlarms(
        db,
        author(),
        ids.map(id => ({ condition_key: conditionKey('device_offline', id), ended_at: w.clock.now() })),
      ),
    )
  const after = async (seconds: number) => {
    w.clock.advance(seconds)
    await tendAlarms(context)
    await tellPeople(context)
  }
  await open([gateway.id])
  await open(attached)
  await after(310)
  await after(10)
  expect(told()).toEqual(['opened 1'])
  await end([gateway.id, ...attached.slice(3)])
  await after(11)
  expect(told()).toEqual(['opened 1', 'ended 1'])
  await after(280)
  expect(told()).toHaveLength(2)
  await after(10)
  await after(11)
  expect(told().slice(2)).toEqual(['opened 3'])
})

test('what came and went while a controller was offline is in one digest, if it held for the delay of the rule', async () => {
  const { client } = tenant
  const { device_id, doors } = await openTellings(w, tenant, ['An hour', 'A moment', 'Still'])
  const target = await client.notification_targets.create({ kind: 'http', url: http.url, secret })
  await client.alarm_rules.create({
    name: 'Forced for a minute',
    types: ['door_forced'],
    delay_seconds: 60,
    notify: [{ notification_target_id: target.id }],
  })
  const { context } = w.server
  const simulate = (body: Parameters<typeof client.devices.simulate>[1]) =>
    client.devices.simulate(device_id, body)
  const turn = (gadget_id = '', state_id: string) => simulate({ state: { gadget_id, state_id } })
  const pass = async (seconds: number) => {
    w.clock.advance(seconds)
    await closeVirtualDoors(context)
  }
  const door = { ...heldDoor.door, open_state_id: 'opened', closed_state_id: 'closed' }
  for (const id of doors) await client.gadgets.edit(id, { door })
  for (const id of doors) await turn(id, 'closed')
  await simulate({ network: 'offline' })
  await pass(10)
  for (const id of doors) await turn(id, 'opened')
  await pass(30)
  await turn(doors[1], 'closed')
  await pass(3600)
  await turn(doors[0], 'closed')
  await pass(6 * 3600)
  await simulate({ network: 'online' })
  for (const seconds of [0, 2, 60]) {
    w.clock.advance(seconds)
    await tendAlarms(context)
    await tellPeople(context)
  }
  expect(http.received.map(({ event }) => [event.reason, event.title])).toEqual([
    ['opened', 'Door forced open, Still, House'],
    ['digest', expect.stringContaining('An hour')],
  ])
  expect((await client.alarms.list()).data.map(({ is_late, is_over }) => [is_late, is_over]).sort()).toEqual([
    [true, false],
    [true, true],
  ])
})

test('a user is told by the channels of the severity, not in quiet hours, and then in one digest', async () => {
  const owner = await signUp(w, 'olivia@example.com', 'Olivia')
  const organization_id = await found(owner, 'Hotel')
  const { context } = w.server
  const [user] = await context.db.query<{ id: string }>(
    `SELECT user_id AS id FROM organization_users WHERE organization_id = $1`,
    [organization_id],
  )
  const settings = {
    channels: { warning: ['email'] },
    quiet: { from: '00:00', to: '07:00', zone: 'UTC' },
  }
  await context.db.query('UPDATE users SET notification_settings = $2 WHERE id = $1', [user?.id, settings])
  await context.db.query('INSERT INTO organization_users VALUES ($1, $2, $3, now())', [
    tenant.organization_id,
    user?.id,
    'administrator',
  ])
  w.clock.set('2027-05-01T03:00:00.000000Z')
  const { doors, begin, end, after } = await openTellings(w, tenant, ['A', 'B', 'C'])
  await tenant.client.alarm_rules.create({
    name: 'Olivia',
    types: ['door_held', 'door_forced'],
    notify: [{ user_id: user?.id ?? '' }],
  })
  const subjects = () =>
    context.mailer.outbox?.filter(({ kind }) => kind === 'alarm').map(({ subject }) => subject) ?? []
  await begin('door_held', doors.slice(0, 2))
  await after(60)
  expect(subjects()).toEqual([])
  // Critical ones are told. She has no browser, so push and mail are one mail.
  await begin('door_forced', doors.slice(2))
  await after(2)
  expect(subjects()).toEqual(['Door forced open, C, House'])
  // So is what becomes critical while it waits for the morning.
  await begin('door_held', doors.slice(0, 1), { severity: 'critical' })
  await after(2)
  expect(subjects()[0]).toBe('Door held open, A, House')
  w.clock.set('2027-05-01T06:59:59.000000Z')
  await after(0)
  expect(subjects()).toHaveLength(2)
  await after(1)
  expect(subjects()).toHaveLength(3)
  expect(subjects()[0]).toContain('1 more')
  // The end of what is not critical waits for the morning too.
  w.clock.set('2027-05-02T03:00:00.000000Z')
  await end('door_held', doors.slice(1, 2))
  await after(60)
  expect(subjects()).toHaveLength(3)
  w.clock.set('2027-05-02T07:00:00.000000Z')
  await after(0)
  expect(subjects()).toHaveLength(4)
  expect(subjects()[0]).toContain('Door held open, B, House')
})
