import { randomBytes } from 'node:crypto'
import { type Receiver, receiver, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tendErasures } from '../../packages/server/src/services/erasures/tend-erasures.ts'
import { workUntil } from './erase.ts'
import { findWord } from './find-words.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
let hook: Receiver
let plain: Receiver

beforeAll(async () => {
  w = owned.use(await world({ delivery: true, webhook_allow: ['127.0.0.0/8'] }))
  tenant = await w.tenant()
  hook = owned.use(await receiver())
  plain = owned.use(await receiver())
  plain.respond = response => response.writeHead(200).end('kept')
  const filter = (['erasure', 'card', 'member'] as const).map(object_type => ({ object_type }))
  const expand = ['object_member', 'object_card.member_cards.member']
  await tenant.client.webhooks.create({ url: hook.url, filter, expand })
  await tenant.client.webhooks.create({ url: plain.url, filter })
})
afterAll(() => owned.disposeAsync())

const canary = () => `canary${randomBytes(6).toString('hex')}`
const hits = (...words: string[]) => findWord(w.server.context.db, ...words)

/** Makes the receiver quote the name, and waits until both have got an event of this type and it is recorded. */
function quote(name: string) {
  hook.respond = response => response.writeHead(200).end(`hello ${name}`)
  return (type: string, verb: string) =>
    expect
      .poll(async () => {
        const rows = await w.server.context.db.query(
          `SELECT 1 FROM webhook_deliveries d JOIN events e ON e.organization_id = d.organization_id AND e.id = d.event_id
           WHERE d.organization_id = $1 AND e.object->>'type' = $2 AND e.verb = $3 AND d.status = 'succeeded'`,
          [tenant.organization_id, type, verb],
        )
        return rows.length
      })
      .toBeGreaterThanOrEqual(2)
}

/** What is kept of the deliveries of an event: its body for each reader, and whether the answer is. */
async function keptOf(type: string, verb: string) {
  const rows = await w.server.context.db.query<{ is_plain: boolean; body: string | null; answer: unknown }>(
    `SELECT d.reader = '' AS is_plain, b.body, d.attempts->0->'answer' AS answer FROM webhook_deliveries d
     JOIN events e ON e.organization_id = d.organization_id AND e.id = d.event_id
     LEFT JOIN webhook_bodies b ON b.organization_id = d.organization_id AND b.event_id = d.event_id AND b.reader = d.reader
     WHERE d.organization_id = $1 AND e.object->>'type' = $2 AND e.verb = $3 ORDER BY d.reader, d.id`,
    [tenant.organization_id, type, verb],
  )
  return rows.map(({ is_plain, body, answer }) => ({ is_plain, has_body: body !== null, answer }))
}

test('what webhooks were sent of a scheduled erasure goes with the member; who got the bare ID keeps it', async () => {
  const { client } = tenant
  const name = canary()
  const sent = quote(name)
  const { id: member_id } = await client.members.create({ name })
  const scheduled_at = new Date(Date.parse(w.clock.now()) + 86_400_000).toISOString()
  const { id } = await client.erasures.create({ member_id, scheduled_at })
  await sent('erasure', 'create')
  expect(Object.keys(await hits(name))).toEqual(
    expect.arrayContaining(['webhook_bodies', 'webhook_deliveries']),
  )
  hook.respond = 200
  w.clock.advance(86_401)
  await workUntil(w, client, id, 'done')
  expect(await hits(name)).toEqual({})
  expect(await keptOf('erasure', 'create')).toEqual([
    { is_plain: true, has_body: true, answer: 'kept' },
    { is_plain: false, has_body: false, answer: null },
  ])
  // The deletion was sent once the member was empty.
  await sent('member', 'delete')
  expect((await keptOf('member', 'delete')).map(({ has_body }) => has_body)).toEqual([true, true])
})

test('what webhooks were sent of events that do not name the member goes, where it holds the member', async () => {
  const { client } = tenant
  const name = canary()
  const { id: member_id } = await client.members.create({ name })
  const { card_id } = await client.member_cards.create(member_id, { uid: '04A1B2C3D4E5F6' })
  const sent = quote(name)
  await client.cards.edit(card_id, { name: 'Blue fob' })
  await sent('card', 'edit')
  expect((await keptOf('card', 'edit')).map(({ has_body }) => has_body)).toEqual([true, true])
  hook.respond = 200
  const { id } = await client.erasures.create({ member_id })
  const done = await workUntil(w, client, id, 'done')
  expect(done.counts.deliveries).toBeGreaterThan(2)
  expect(await hits(name)).toEqual({})
  expect(await keptOf('card', 'edit')).toEqual([
    { is_plain: true, has_body: true, answer: 'kept' },
    { is_plain: false, has_body: false, answer: null },
  ])
})

test('events wait until webhooks have got what happened before the erasure, for a minute at most', async () => {
  const { client } = tenant
  const { db } = w.server.context
  const webhooksAreAt = (position: string) =>
    db.query(
      `UPDATE feed_cursors SET owner = 'another process', owned_until = 'infinity', position = $1 WHERE consumer = 'webhooks'`,
      [position],
    )
  const stageOf = async (id: string) =>
    (await db.query<{ stage: string }>('SELECT stage FROM erasures WHERE id = $1', [id]))[0]?.stage
  const begin = async () => {
    await webhooksAreAt('0.0.0')
    const { id: member_id } = await client.members.create({ name: 'Ann' })
    const { id } = await client.members.erase(member_id, {})
    // For longer than an erasure takes.
    for (let looks = 0; looks < 30; looks++) {
      w.clock.advance(1)
      await tendErasures(w.server.context)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    expect(await stageOf(id)).toBe('events')
    return id
  }
  const first = await begin()
  await webhooksAreAt('9.0.0')
  await workUntil(w, client, first, 'done')
  const second = await begin()
  w.clock.advance(61)
  await workUntil(w, client, second, 'done')
})
