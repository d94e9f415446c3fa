import { ApiError } from '@gatehouse-access/sdk'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { holdEmergencies } from '../../packages/server/src/doors/start-emergency.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { openHouse } from './house.ts'

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

function start(type: 'lockdown' | 'evacuation', gadget_ids: string[], more: object = {}) {
  return tenant.client.emergencies.create({ type, targets: { gadget_ids }, ...more })
}

async function modeOf(gadget: string) {
  const { mode } = await tenant.client.gadgets.get(gadget)
  return { effective: mode?.effective, emergency_ids: mode?.emergency_ids }
}

test('of a lockdown and an evacuation of one door at once, exactly one starts', async () => {
  const { doors } = await openHouse(tenant.client, ['Front', 'Back'])
  const [front = '', back = ''] = doors
  for (let round = 0; round < 3; round++) {
    const outcomes = await Promise.allSettled([
      start('lockdown', [front]),
      start('evacuation', [front, back]),
    ])
    const [started, ...others] = outcomes.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
    const refused = outcomes.find(one => one.status === 'rejected')?.reason
    expect(others).toEqual([])
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({
      type: 'emergency_conflict',
      status: 400,
      args: { emergency_id: started?.id, gadget_id: front },
    })
    expect((await tenant.client.emergencies.list({ is_active: true })).data).toHaveLength(1)
    await tenant.client.emergencies.end(started?.id ?? '', { reason: 'It was a test' })
  }
})

/** The control: without the turn that each start waits for, both look before either has written. */
test('a start waits for another one that has not committed', async () => {
  const { doors } = await openHouse(tenant.client, ['Front'])
  const { db, clock } = w.server.context
  let second: Promise<unknown> | undefined
  let hasAnswered = false
  await db.transaction(async inner => {
    await holdEmergencies({ db: inner, caller: serviceCaller(tenant.organization_id), now: clock.now() })
    second = start('lockdown', doors).then(() => {
      hasAnswered = true
    })
    await expect.poll(() => waitingLocks(w), { interval: 10 }).toBe(1)
    expect(hasAnswered).toBe(false)
  })
  await second
})

async function waitingLocks({ server }: World): Promise<number | undefined> {
  const [row] = await server.context.db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
  )
  return row?.count
}

test('two lockdowns of one door add up', async () => {
  const { doors } = await openHouse(tenant.client, ['Front'])
  const [front = ''] = doors
  const first = await start('lockdown', [front])
  w.clock.advance(1)
  const second = await start('lockdown', [front])
  expect(await modeOf(front)).toEqual({ effective: 'lockdown', emergency_ids: [first.id, second.id] })
  await tenant.client.emergencies.end(first.id)
  expect(await modeOf(front)).toEqual({ effective: 'lockdown', emergency_ids: [second.id] })
  await tenant.client.emergencies.end(second.id)
  expect(await modeOf(front)).toEqual({ effective: 'controlled', emergency_ids: [] })
})

test('replaces swaps a lockdown for an evacuation in one instant', async () => {
  const { doors } = await openHouse(tenant.client, ['Front'])
  const [front = ''] = doors
  const before = await start('lockdown', [front])
  const seen = new Set<string | undefined>()
  let isOver = false
  const watching = (async () => {
    while (!isOver) seen.add((await modeOf(front)).effective)
  })()
  const after = await start('evacuation', [front], { replaces: [before.id] })
  expect(await modeOf(front)).toEqual({ effective: 'evacuation', emergency_ids: [after.id] })
  isOver = true
  await watching
  expect([...seen].filter(mode => mode !== 'lockdown' && mode !== 'evacuation')).toEqual([])
  const ended = await tenant.client.emergencies.get(before.id)
  expect(ended).toMatchObject({ is_active: false, ended_at: after.started_at, end_reason: 'replaced' })
})

test('what is replaced goes on at its other doors', async () => {
  const { doors, site_id } = await openHouse(tenant.client, ['Front', 'Back'])
  const [front = '', back = ''] = doors
  const { client } = tenant
  const before = await client.emergencies.create({ type: 'lockdown', targets: { site_ids: [site_id] } })
  await start('evacuation', [front], { replaces: [before.id] })
  expect([(await modeOf(front)).effective, (await modeOf(back)).effective]).toEqual([
    'evacuation',
    'lockdown',
  ])
  const narrowed = await client.emergencies.get(before.id)
  expect(narrowed).toMatchObject({ is_active: true, gadget_count: 1 })
  expect(narrowed.targets.excluded_gadget_ids).toEqual([front])
  const { data } = await client.events.list({ 'object.emergency_id': before.id, sort: 'created_at:asc' })
  expect(data.map(({ verb, object }) => [verb, object.reason])).toEqual([
    ['create', undefined],
    ['edit', 'narrowed'],
  ])
})
