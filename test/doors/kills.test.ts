import { setTimeout as sleep } from 'node:timers/promises'
import { Chance, manyOr, seed, within } from '@gatehouse-access/testkit'
import { afterAll, expect, test } from 'vitest'
import { allConfirmed, controlledBuilding, startController } from './controlled-building.ts'

const chance = new Chance(seed)

const owned = new AsyncDisposableStack()
afterAll(() => owned.disposeAsync())

test(
  'a controller that is killed during a lockdown and a hold goes on with both, without a network',
  within(60),
  async () => {
    const building = await controlledBuilding(owned)
    const { first, second, tenant } = building
    const { client } = tenant
    const { edge, cable, goOffline } = await startController(owned, building)
    const held = async () => {
      const orders = await edge.orders()
      return orders.find(({ gadget_id, action_id }) => gadget_id === second.id && action_id === 'hold')?.after
    }
    const outcome = () => edge.decide('246813', first.door.id)
    // The control: neither is so without them.
    expect([await outcome(), await held()]).toEqual([null, undefined])

    const targets = { gadget_ids: [first.door.id] }
    const emergency = await client.emergencies.create({ type: 'lockdown', targets })
    await client.gadgets.mode(second.id, { mode: 'unlocked', lasts: 'indefinitely' })
    await allConfirmed(tenant, emergency.id)
    await expect.poll(async () => (await client.gadgets.get(second.id)).mode?.is_confirmed).toBe(true)
    await goOffline()

    const took: number[] = []
    for (let round = 0; round < manyOr(1); round++) {
      // The first kill hits a controller at work, the second one at a random instant of its start.
      for (const longest of [20, 1500]) {
        await sleep(chance.between(0, longest))
        await edge.kill()
        edge.restart()
      }
      await expect.poll(held).toBeDefined()
      took.push((await held()) ?? Infinity)
      expect(await outcome()).toBe('lockdown')
    }
    expect(Math.min(...took)).toBeLessThan(1000)
    cable.mend()
    await client.emergencies.end(emergency.id)
    await expect.poll(outcome).toBe(null)
  },
)
