import { setTimeout as sleep } from 'node:timers/promises'
import { Chance, manyOr, seed, soak } from '@gatehouse-access/testkit'
import { afterAll, expect } from 'vitest'
import { controlledBuilding, startController } from '../doors/controlled-building.ts'

const chance = new Chance(seed)

const owned = new AsyncDisposableStack()
afterAll(() => owned.disposeAsync())

soak('a controller that is killed around an alarm tells each beginning once, and its end', async () => {
  const building = await controlledBuilding(owned)
  const { client } = building.tenant
  const { id: gadget_id } = building.first.door
  const { edge } = await startController(owned, building)
  const rounds = Math.max(3, manyOr(3))
  for (let round = 0; round < rounds; round++) {
    await edge.state(gadget_id, 'closed')
    await edge.advance(10)
    await edge.state(gadget_id, 'open')
    await edge.advance(2)
    // The alarm is being raised, written and uploaded. The first round is left alone.
    await sleep(round === 0 ? 1500 : chance.between(0, 300))
    await edge.kill()
    edge.restart()
    await edge.waitFor(({ is_live, is_sure }) => is_live && is_sure)
    await edge.state(gadget_id, 'closed')
    await expect.poll(async () => (await edge.journal()).length).toBe(0)
  }
  const { data } = await client.alarms.list({ gadget_id })
  expect(data).toMatchObject([{ type: 'door_forced', is_over: true }])
  const told = await client.events.list({ 'object.gadget_id': gadget_id, 'object.type': 'alarm', limit: 100 })
  const begun = told.data.filter(({ verb, object }) => verb === 'create' || object.reason === 'reopened')
  const ended = told.data.filter(({ object }) => object.reason === 'ended')
  expect(begun.length).toBe(ended.length)
  expect(begun.length).toBeLessThanOrEqual(rounds)
})
