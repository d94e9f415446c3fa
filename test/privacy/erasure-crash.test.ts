import { manyOr, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Pool } from '../../packages/server/src/database/db.ts'
import { tendErasures } from '../../packages/server/src/services/erasures/tend-erasures.ts'
import { allSealed, expectWholeChain, workUntil } from './erase.ts'

let w: World
let tenant: Tenant

beforeAll(async () => {
  w = await world({ delivery: true, log_level: 'silent' })
  tenant = await w.tenant()
})
afterAll(() => w[Symbol.asyncDispose]())

class Killed extends Error {}

/** A database whose process dies at a statement or commit: nothing after it happens. */
function dyingAt(point: number): { db: Pool; hasDied: () => boolean } {
  const { db } = w.server.context
  let left = point
  const die = () => {
    if (left-- <= 0) throw new Killed()
  }
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(of, name) {
        const held: unknown = Reflect.get(of, name)
        if (typeof held !== 'function') return held
        if (name === 'query')
          return (...given: unknown[]) => {
            die()
            return held.apply(of, given)
          }
        if (name === 'transaction')
          return async (work: (inner: object) => Promise<unknown>) => {
            const done = await held.call(of, async (inner: object) => {
              const result = await work(wrap(inner))
              die()
              return result
            })
            die()
            return done
          }
        return held.bind(of)
      },
    })
  return { db: wrap(db), hasDied: () => left < 0 }
}

async function make(): Promise<string> {
  const { client } = tenant
  const member = await client.members.create({ name: 'Ada', metadata: { a: 'b' } })
  await client.member_pins.create(member.id, {})
  await client.member_emails.create(member.id, { email: `a${member.id}@example.com` })
  await client.members.edit(member.id, { name: 'Bea' })
  await allSealed(w)
  return member.id
}

async function resultOf(member_id: string) {
  const { data } = await tenant.client.erasures.list({ member_id })
  const [erasure] = data
  const amendments = await w.server.context.db.query(
    'SELECT kind, was_altered FROM audit_amendments WHERE act = $1 ORDER BY number',
    [erasure?.id],
  )
  const events = await tenant.client.events.list({ 'object.erasure_id': erasure?.id ?? '' })
  return {
    count: data.length,
    state: erasure?.state,
    counts: erasure?.counts,
    amendments,
    told: events.data.map(({ verb, object }) => `${verb} ${object.changes?.[0]?.after}`).sort(),
  }
}

test('whoever is killed while a member is erased leaves nothing half done', async () => {
  const { client } = tenant
  const whole = await make()
  const { id } = await client.erasures.create({ member_id: whole })
  await workUntil(w, client, id, 'done')
  const expected = await resultOf(whole)
  expect(expected).toMatchObject({ state: 'done', counts: { events: 4 } })
  const points = Math.min(60, manyOr(3))
  for (let index = 0; index < points; index++) {
    const member_id = await make()
    const begun = await client.erasures.create({ member_id })
    for (let point = Math.floor((index * 60) / points), died = true; died; point += 7) {
      const { db, hasDied } = dyingAt(point)
      w.clock.advance(4)
      await tendErasures({ ...w.server.context, db }).catch(error => {
        if (!(error instanceof Killed)) throw error
      })
      died = hasDied()
    }
    await workUntil(w, client, begun.id, 'done')
    expect(await resultOf(member_id)).toEqual(expected)
  }
  await expect.poll(() => expectWholeChain(w).then(() => true)).toBe(true)
})
