import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

const taken = '518203'
const free = '640917'

beforeAll(async () => {
  // One of the tests gives a member more PINs than the default quota allows.
  w = owned.use(await world({ quotas: { 'member.member_pin': 1000 } }))
})
beforeEach(async () => {
  tenant = await w.tenant()
  const holder = await tenant.client.members.create({})
  await tenant.client.member_pins.create(holder.id, { pin: taken })
})
afterAll(() => owned.disposeAsync())

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${w.url}/v2/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json(), retry_after: answer.headers.get('retry-after') }
}

const grant = (pin: string, more: object = {}) => ({
  member: {},
  member_group_ids: [],
  credentials: { pin: { pin }, ...more },
})

describe('whether somebody has a PIN is not told by the order of errors', () => {
  test.each([
    ['an unknown card', (pin: string) => grant(pin, { card: { printed_code: 'NOBODY' } })],
    ['nobody to write to', (pin: string) => ({ ...grant(pin), notify: true })],
    [
      'an unknown group',
      (pin: string) => ({ ...grant(pin), member_group_ids: ['mgr_00000000000000000000'] }),
    ],
  ])('beside %s', async (_name, bodyOf) => {
    const answers = [await post('grants', bodyOf(taken)), await post('grants', bodyOf(free))]
    expect(answers[0]?.status).toBe(400)
    expect(answers[0]).toEqual(answers[1])
  })

  test('a PIN that is taken and one whose length is nearly used up are refused alike', async () => {
    const member = await tenant.client.members.create({})
    const path = `members/${member.id}/pins`
    const { body: first } = await post(path, { pin: '7391' })
    await w.server.context.db.query(
      `INSERT INTO member_pins SELECT (p).* FROM (
         SELECT jsonb_populate_record(p, jsonb_build_object('id', 'mp_' || lpad(n::text, 20, '0'), 'pin_hash', '\\x' || lpad(n::text, 8, '0'))) AS p
         FROM member_pins p, generate_series(1, 500) n WHERE p.id = $1) AS copies`,
      [first.id],
    )
    // A count is trusted for as long as nobody could have filled the rest: here 50 ms, in which nothing but a statement like this can.
    w.timers.advance(100)
    const [used, crowded] = [await post(path, { pin: taken }), await post(path, { pin: '8402' })]
    expect(used).toEqual(crowded)
    expect(used).toMatchObject({ status: 400, body: { type: 'invalid_request', args: { field: 'pin' } } })
  })
})

test('requests that ask for PINs in vain are counted: 20 an hour, then 429 for those that name one', async () => {
  const member = await tenant.client.members.create({})
  const path = `members/${member.id}/pins`
  for (let count = 0; count < 10; count++) {
    expect((await post(path, { pin: taken }, { 'idempotency-key': `${count}` })).status).toBe(400)
    expect((await post('grants', grant(taken))).status).toBe(400)
  }
  for (const pin of [taken, free]) {
    const refused = await post('grants', grant(pin))
    expect(refused).toMatchObject({ status: 429, body: { type: 'rate_limited' } })
    expect(Number(refused.retry_after)).toBeGreaterThan(3500)
  }
  expect((await post(path, {})).status).toBe(200)
  await w.server.context.db.query(`UPDATE pin_lookups SET looked_up_at = looked_up_at - interval '1 hour'`)
  expect((await post('grants', grant(free))).status).toBe(200)
})

test('asking by restoring counts too', async () => {
  const { client } = tenant
  const member = await client.members.create({})
  const pin = await client.member_pins.create(member.id, { pin: free })
  await client.member_pins.delete(member.id, pin.id)
  const other = await client.members.create({})
  await client.member_pins.create(other.id, { pin: free })
  const restore = () =>
    client.member_pins.edit(member.id, pin.id, { is_deleted: false }).catch(error => error.status)
  for (let count = 0; count < 20; count++) expect(await restore()).toBe(400)
  expect(await restore()).toBe(429)
})
