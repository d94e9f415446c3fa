import { type Pool, startDelivery } from '@gatehouse-access/server'
import { receiver, world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'

/** Holds back the answers to statements that contain a text, while it is asked to. */
function holding(db: Pool, text: string) {
  let gate: PromiseWithResolvers<void> | undefined
  let held = 0
  const query: Pool['query'] = async (statement, ...rest) => {
    const rows = await db.query<never>(statement, ...rest)
    if (gate && statement.includes(text)) {
      held++
      await gate.promise
    }
    return rows
  }
  const pool = new Proxy(db, { get: (target, name) => (name === 'query' ? query : bound(target, name)) })
  return {
    pool,
    held: () => held,
    hold: () => {
      gate = Promise.withResolvers()
    },
    release: () => {
      gate?.resolve()
      gate = undefined
    },
  }
}

function bound(target: Pool, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}

test('a webhook that is edited while its deliveries are loaded gets all of them at its new address', async () => {
  await using w = await world()
  await using before = await receiver()
  await using after = await receiver()
  const { client } = await w.tenant()
  const { context } = w.server
  const slow = holding(context.db, 'FROM webhook_deliveries d WHERE')
  await using _delivery = startDelivery({ ...context, db: slow.pool })
  const webhook = await client.webhooks.create({ url: before.url, filter: [{ object_type: 'member' }] })
  slow.hold()
  const { id } = await client.members.create({ name: 'Ada' })
  await expect.poll(() => slow.held()).toBeGreaterThan(0)
  const heard = Promise.withResolvers<void>()
  // Called after the lane, which listened first.
  const stop = await context.tail.listen(events => {
    if (events.some(({ event }) => event.object.type === 'webhook')) heard.resolve()
  })
  await client.webhooks.edit(webhook.id, { url: after.url })
  await heard.promise
  slow.release()
  const [delivery] = await after.waitFor(1)
  expect(delivery?.event.object).toMatchObject({ member_id: id })
  expect(before.received).toEqual([])
  stop()
})
