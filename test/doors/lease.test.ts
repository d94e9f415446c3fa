import { toMicroseconds } from '@gatehouse-access/core'
import { within } from '@gatehouse-access/testkit'
import { afterAll, expect, test } from 'vitest'
import { allConfirmed, controlledBuilding, startController } from './controlled-building.ts'

const owned = new AsyncDisposableStack()
afterAll(() => owned.disposeAsync())
const hour = 3600

test(
  'without the service a lockdown lasts as long as its lease, and one without a lease for ever',
  within(60),
  async () => {
    const building = await controlledBuilding(owned)
    const { first, second, tenant } = building
    const { client } = tenant
    const { edge, cable, goOffline } = await startController(owned, building)
    const outcomes = async () => [
      await edge.decide('246813', first.door.id),
      await edge.decide('246813', second.id),
    ]
    const start = (gadget_id: string, offline_hold_seconds: number | null) =>
      client.emergencies.create({
        type: 'lockdown',
        targets: { gadget_ids: [gadget_id] },
        offline_hold_seconds,
      })
    const leased = await start(first.door.id, 12 * hour)
    const lasting = await start(second.id, null)
    for (const { id } of [leased, lasting]) await allConfirmed(tenant, id)
    await goOffline()

    await edge.advance(12 * hour - 3)
    expect(await outcomes()).toEqual(['lockdown', 'lockdown'])
    await expect.poll(outcomes).toEqual([null, 'lockdown'])
    const ended = async () => (await edge.journal()).findLast(event => event.type === 'mode')
    await expect
      .poll(ended)
      .toMatchObject({ gadget_id: first.door.id, mode: 'controlled', cause: 'lease_ended' })
    const { occurred_at = '' } = (await ended()) ?? {}
    const late = toMicroseconds(occurred_at) - toMicroseconds(leased.started_at) - 12 * hour * 1e6
    expect(Math.floor(late / 1e6)).toBe(0)
    await edge.advance(30 * 24 * hour)
    expect(await outcomes()).toEqual([null, 'lockdown'])

    cable.mend()
    const told = async () => {
      const { data } = await client.events.list({
        'object.gadget_id': first.door.id,
        'object.type': 'gadget_mode',
      })
      return data.map(({ object }) => object)
    }
    await expect.poll(told).toContainEqual(expect.objectContaining({ mode: 'controlled' }))
  },
)
