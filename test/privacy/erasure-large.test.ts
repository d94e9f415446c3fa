import { slowness, soak, type World, within, world } from '@gatehouse-access/testkit'
import { expect } from 'vitest'
import type { Pool } from '../../packages/server/src/database/db.ts'
import { tendErasures } from '../../packages/server/src/services/erasures/tend-erasures.ts'
import { logEvents } from '../../packages/server/src/store/event-log.ts'
import { expectWholeChain } from './erase.ts'

const count = Number(process.env.GATEHOUSE_ERASED_EVENTS ?? 100_000)

/** The longest transaction of everything that goes through it, in milliseconds. */
function timed(db: Pool): { db: Pool; longest: () => number } {
  let longest = 0
  const proxy = new Proxy(db, {
    get(of, name) {
      const held: unknown = Reflect.get(of, name)
      if (typeof held !== 'function') return held
      if (name !== 'transaction') return held.bind(of)
      return (work: (inner: object) => Promise<unknown>) =>
        held.call(of, async (inner: object) => {
          const began = performance.now()
          const result = await work(inner)
          longest = Math.max(longest, performance.now() - began)
          return result
        })
    },
  })
  return { db: proxy, longest: () => longest }
}

async function links(w: World): Promise<number> {
  const [row] = await w.server.context.db.query<{ count: string }>('SELECT count(*) FROM audit_links')
  return Number(row?.count)
}

soak(
  'a member with 100,000 events is erased within a minute, in short transactions',
  within(600),
  async () => {
    await using w = await world({ delivery: true })
    const { client, organization_id } = await w.tenant()
    const { id: member_id } = await client.members.create({ name: 'Ada' })
    const { context } = w.server
    const draft = {
      organization_id,
      subject: { member_id, access_method: 'pin' as const },
      verb: 'use' as const,
      object: { type: 'gadget_action' as const, gadget_id: 'gad_00000000000000000000' },
    }
    for (let at = 0; at < count; at += 1000)
      await logEvents(
        context.db,
        Array.from({ length: Math.min(1000, count - at) }, () => ({ ...draft, recorded_at: w.clock.now() })),
      )
    await expect.poll(() => links(w), { timeout: 120_000 * slowness() }).toBeGreaterThan(count)
    const { id } = await client.erasures.create({ member_id })
    const { db, longest } = timed(context.db)
    const began = performance.now()
    for (let state = 'running'; state !== 'done'; { state } = await client.erasures.get(id)) {
      w.clock.advance(4)
      await tendErasures({ ...context, db })
    }
    const took = performance.now() - began
    console.log({ count, took: Math.round(took), longest: Math.round(longest()) })
    expect((await client.erasures.get(id)).counts.events).toBe(count + 1)
    expect(took).toBeLessThan(60_000 * slowness())
    expect(longest()).toBeLessThan(200 * slowness())
    await expect.poll(() => expectWholeChain(w).then(() => true), { timeout: 60_000 }).toBe(true)
  },
)
