import { setTimeout as sleep } from 'node:timers/promises'
import { Chance, manyOr, seed, soak, within } from '@gatehouse-access/testkit'
import { afterAll, expect } from 'vitest'
import { tendAlarms } from '../../packages/server/src/alarms/tend-alarms.ts'
import { controlledBuilding, startController } from '../doors/controlled-building.ts'

const chance = new Chance(seed)

const owned = new AsyncDisposableStack()
afterAll(() => owned.disposeAsync())

const rounds = Math.max(3, manyOr(3))
/** Seconds. What opened more than five times in ten minutes is over when it was quiet for ten. */
const calm = 660

soak(
  'a controller that is killed around an alarm tells each beginning once, and its end',
  within(60 + 4 * rounds),
  async () => {
    const building = await controlledBuilding(owned)
    const { client } = building.tenant
    const { id: gadget_id } = building.first.door
    const { edge } = await startController(owned, building)
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
    const alarms = async () => (await client.alarms.list({ gadget_id })).data
    // What was uploaded is followed a moment later.
    const isDone = async () => (await alarms()).every(({ is_over, is_flapping }) => is_over || is_flapping)
    await expect.poll(isDone).toBe(true)
    building.w.clock.advance(calm)
    await tendAlarms(building.w.server.context)
    await expect.poll(alarms).toMatchObject([{ type: 'door_forced', is_over: true }])
    const told = await Array.fromAsync(
      client.events.all({ 'object.gadget_id': gadget_id, 'object.type': 'alarm' }),
    )
    const begun = told.filter(({ verb, object }) => verb === 'create' || object.reason === 'reopened')
    const ended = told.filter(({ object }) => object.reason === 'ended')
    expect(begun.length).toBe(ended.length)
    expect(begun.length).toBeLessThanOrEqual(rounds)
  },
)
