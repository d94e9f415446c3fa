import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseBodies, type FoundBodies, findBodies } from '../../packages/server/src/erasing/erase-bodies.ts'

let w: World
let tenant: Tenant

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant()
})
afterAll(() => w[Symbol.asyncDispose]())

const idOf = (number: number) => `mem_${String(number).padStart(20, '0')}`
const [member_id, other_id] = [idOf(1), idOf(999)]
const megabytes = (count: number) => 'x'.repeat(count * 1024 * 1024)
const erased = { type: 'member', reason: 'erased', member_id }

/** By event and reader. */
const bodies = {
  'evt_a all': { object: { type: 'card' }, member: { id: member_id, name: megabytes(5) } },
  'evt_b all': { object: { type: 'card' }, member: { id: other_id, name: megabytes(5) } },
  'evt_b few': { object: { type: 'card' }, note: `of ${member_id}` },
  'evt_c ': { object: { type: 'card', member_id } },
  'evt_c all': { object: { type: 'card' }, member: { id: member_id } },
  'evt_d all': { object: erased, member: { id: member_id, erased_at: '2026-01-01' } },
  'evt_d few': { object: erased, member: { id: member_id, erased_at: null } },
  'evt_e all': { object: { type: 'erasure', member_id } },
  'evt_e few': { object: { type: 'card', name: 'erased' }, member: { id: member_id } },
}
const placeOf = (name: string) => {
  const [event_id = '', reader = ''] = name.split(' ')
  return { event_id, reader }
}

async function found(ids: readonly string[]) {
  const { organization_id } = tenant
  const places: FoundBodies['places'][number][] = []
  let next: FoundBodies['next']
  do {
    const one = await findBodies(w.server.context.db, { organization_id, ids }, next)
    places.push(...one.places)
    next = one.next
  } while (next)
  return places
}

test('bodies that hold members are found, however large they are and however many are sought', async () => {
  const { db, clock } = w.server.context
  for (const [name, body] of Object.entries(bodies)) {
    const { event_id, reader } = placeOf(name)
    await db.query('INSERT INTO webhook_bodies VALUES ($1, $2, $3, $4, $5)', [
      tenant.organization_id,
      event_id,
      reader,
      JSON.stringify(body),
      clock.now(),
    ])
  }
  const held = ['evt_a all', 'evt_b few', 'evt_c all', 'evt_d few', 'evt_e few'].map(placeOf)
  expect(await found([member_id])).toEqual(held)
  expect(await found(Array.from({ length: 50 }, (_, number) => idOf(number)))).toEqual(held)

  await eraseBodies(db, tenant.organization_id, held, clock.now())
  const left = await db.query<{ name: string }>(
    `SELECT event_id || ' ' || reader AS name FROM webhook_bodies WHERE organization_id = $1 ORDER BY event_id, reader`,
    [tenant.organization_id],
  )
  expect(left.map(({ name }) => name)).toEqual(['evt_b all', 'evt_c ', 'evt_d all', 'evt_e all'])
})
