import { setTimeout as sleep } from 'node:timers/promises'
import { manyOr, within } from '@gatehouse-access/testkit'
import { afterAll, expect, test } from 'vitest'
import { allConfirmed, controlledBuilding, startController } from './controlled-building.ts'

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

    for (let kill = 0; kill < manyOr(2); kill++) {
      await sleep(Math.random() * 20)
      await edge.kill()
      edge.restart()
      await expect.poll(held).toBeLessThan(1000)
      expect(await outcome()).toBe('lockdown')
    }
    cable.mend()
    await client.emergencies.end(emergency.id)
    await expect.poll(outcome).toBe(null)
  },
)
