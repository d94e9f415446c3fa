import { randomBytes } from 'node:crypto'
import { type Resource, resources } from '@gatehouse-access/api'
import { endSuspensions } from '@gatehouse-access/server'
import { type Receiver, receiver, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseEvents, Reached } from '../../packages/server/src/erasing/erase-events.ts'
import { tendErasures } from '../../packages/server/src/services/erasures/tend-erasures.ts'
import { logEvents } from '../../packages/server/src/store/event-log.ts'
import { expectWholeChain, workUntil } from './erase.ts'
import { findWord } from './find-words.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
let hook: Receiver

beforeAll(async () => {
  w = owned.use(await world({ delivery: true, webhook_allow: ['127.0.0.0/8'] }))
  tenant = await w.tenant()
  hook = owned.use(await receiver())
})
afterAll(() => owned.disposeAsync())

const types = [
  'member',
  'member_email',
  'member_pin',
  'member_card',
  'member_magic_link',
  'member_token',
  'gadget_action',
  'member_group_association',
  'card',
  'erasure',
] as const
const made: string[] = []
/** A word that stands nowhere else. */
function canary(): string {
  const word = `canary${randomBytes(6).toString('hex')}`
  made.push(word)
  return word
}

function hits(words: readonly string[]): Promise<Record<string, number>> {
  return findWord(w.server.context.db, ...words)
}

/** The events since the webhook was made that it asks for and whose answer is not stored yet. */
async function countUndelivered(): Promise<number> {
  const rows = await w.server.context.db.query(
    `SELECT 1 FROM events e JOIN webhooks h ON h.organization_id = e.organization_id AND h.created_at <= e.created_at
     WHERE e.organization_id = $1 AND e.object->>'type' = ANY($2::text[]) AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d
       WHERE d.organization_id = e.organization_id AND d.event_id = e.id AND d.status = 'succeeded')`,
    [tenant.organization_id, [...types]],
  )
  return rows.length
}

test('a member is found nowhere any more, and everybody else is untouched', async () => {
  const { client } = tenant
  const other = await client.members.create({ name: canary(), metadata: { note: canary() } })
  await client.member_emails.create(other.id, { email: `${canary()}@example.com` })
  const others = made.splice(0)
  // Answers may quote what was sent. Events about the card do not name the member.
  hook.respond = (response, { event }) =>
    response.writeHead(200).end(JSON.stringify(event.object).includes('"card"') ? 'ok' : made[0])
  await client.webhooks.create({
    url: hook.url,
    filter: types.map(object_type => ({ object_type })),
    expand: ['object_member'],
  })
  const { id: site_id } = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const { id: device_id } = await client.devices.create({ name: 'C', site_id, product_id: 'controller' })
  const door = await client.gadgets.create({ name: 'Door', device_id })
  const group = await client.member_groups.create({ name: 'Guests', permissions: [{ gadget_id: door.id }] })

  const metadata = () => ({ [canary()]: canary() })
  const granted = await client.grants.create({
    external_id: canary(),
    member: { name: canary(), metadata: metadata() },
    member_group_ids: [group.id],
    credentials: { emails: [`${canary()}@example.com`], pin: {}, magic_link: true },
    notify: true,
  })
  const { id } = granted
  const digits = granted.pins?.[0]?.pin ?? ''
  await client.member_emails.create(id, { email: `${canary()}@example.com`, metadata: metadata() })
  await client.member_tokens.create(id, { metadata: metadata() })
  const card = await client.member_cards.create(id, { uid: '04A1B2C3D4E5F6', metadata: metadata() })
  await client.cards.edit(card.card_id, { name: canary(), metadata: metadata() })
  const [association] = granted.group_associations
  await client.member_group_associations.edit(id, association?.id ?? '', { metadata: metadata() })
  await client.members.edit(id, { name: canary(), metadata: { ...metadata(), stay: canary() } })
  // What had a deleted tag is remembered, for its restore.
  const tag = await client.tags.create({ name: 'Regulars' })
  await client.members.edit(id, { name: canary(), tag_ids: [tag.id] })
  await client.tags.delete(tag.id)
  const used = await client.devices.simulate(device_id, { keys: `${digits}#` })
  expect(used.events).toMatchObject([{ type: 'use' }])
  await client.gadgets.execute_as_member(door.id, 'open', { member_id: id })
  const denied = await client.devices.simulate(device_id, { card: { uid: '04FFFFFFFFFFFF' } })
  expect(denied.events).toHaveLength(1)
  await expect.poll(countUndelivered).toBe(0)
  expect((await hits([id])).webhook_bodies).toBeGreaterThan(10)
  expect((await hits([made[0] ?? ''])).webhook_deliveries).toBeGreaterThan(10)
  const words = [...made]
  const before = await hits([...words, id])
  expect(words.length).toBeGreaterThan(20)
  expect(Object.values(before).reduce((sum, count) => sum + count)).toBeGreaterThan(40)

  hook.respond = 200
  const counted = await client.erasures.create({ member_id: id, includes_cards: true }, { dry_run: true })
  expect(await hits([...words, id])).toEqual(before)
  const begun = await client.erasures.create({ member_id: id, includes_cards: true, reference: 'DSR-7' })
  expect(begun).toMatchObject({ state: 'running', reason: 'request', reference: 'DSR-7' })
  const done = await workUntil(w, client, begun.id, 'done')
  // And the creation and the edit of the card.
  expect(done.counts.events).toBe(counted.counts.events + 2)
  expect(done.counts.events).toBeGreaterThan(12)
  expect(done.counts.deliveries).toBeGreaterThan(10)
  expect(done.receipt_hash).toMatch(/^[0-9a-f]{64}$/)
  expect(await hits(words)).toEqual({})
  // The bare ID, which names nobody any more, is in the tombstone, the erasure, and the two events and what is sent of them.
  const rest = await hits([id])
  expect(Object.keys(rest).filter(name => !/^(events|webhook|ledger)_/.test(name))).toEqual([
    'erasures',
    'members',
  ])
  const told = await client.events.list({ 'object.member_id': id })
  expect(told.data.map(({ verb, object }) => `${verb} ${object.type}`).sort()).toEqual([
    'create erasure',
    'delete member',
  ])
  expect(await hits(others)).not.toEqual({})
  expect(await client.members.get(other.id)).toMatchObject({ name: others[0] })
  expect(await client.members.get(id)).toEqual({
    id,
    organization_id: tenant.organization_id,
    name: null,
    external_id: null,
    starts_at: null,
    ends_at: null,
    language: null,
    tag_ids: [],
    metadata: {},
    is_suspended: false,
    suspended_until: null,
    suspended_reason: null,
    is_deleted: true,
    created_at: granted.created_at,
    erased_at: begun.started_at,
  })
  // What happened stays.
  const uses = await client.events.list({ 'object.gadget_id': door.id, verb: 'use' })
  expect(uses.data).toHaveLength(2)
  for (const event of uses.data)
    expect(event).toMatchObject({ is_unlinked: true, subject: { member_id: null, member_pin_id: null } })
  await expect.poll(() => expectWholeChain(w).then(() => true)).toBe(true)
})

test('cards go with whoever had them last, and only if the erasure includes them', async () => {
  const { client } = tenant
  const [first, second] = [
    await client.members.create({ name: 'First' }),
    await client.members.create({ name: 'Second' }),
  ]
  const cardOf = async (name: string) => {
    const { id } = await client.cards.create({
      uid: `04${randomBytes(6).toString('hex')}`.toUpperCase(),
      name,
    })
    return { card_id: id, held: await client.member_cards.create(first.id, { card_id: id }) }
  }
  const [passed, returned, kept] = [await cardOf('Fob'), await cardOf('Fob'), await cardOf('Fob')]
  for (const { held } of [passed, returned]) await client.member_cards.delete(first.id, held.id)
  w.clock.advance(60)
  await client.member_cards.create(second.id, { card_id: passed.card_id })
  await client.cards.edit(passed.card_id, { name: 'Fob of B', metadata: { of: 'B' } })
  await client.cards.edit(kept.card_id, { name: 'Fob of A' })
  const stand = async ({ card_id }: typeof passed) => {
    const { name, metadata } = await client.cards.get(card_id)
    const edits = await client.events.list({ 'object.card_id': card_id, verb: 'edit' })
    return { name, metadata, changes: edits.data.flatMap(({ object }) => object.changes ?? []) }
  }
  const before = await stand(passed)
  expect(before).toMatchObject({ name: 'Fob of B', metadata: { of: 'B' } })
  const begun = await client.members.erase(first.id, { includes_cards: true })
  await workUntil(w, client, begun.id, 'done')
  expect(await stand(passed)).toEqual(before)
  expect(await stand(returned)).toMatchObject({ name: null })
  expect(await stand(kept)).toEqual({ name: null, metadata: {}, changes: [{ field: 'name' }] })

  const { id } = await client.members.erase(second.id, {})
  await workUntil(w, client, id, 'done')
  expect(await stand(passed)).toEqual(before)
})

test('an erased member is gone for good; its key and credentials are free', async () => {
  const { client } = tenant
  const grant = {
    external_id: 'R-1001',
    member: {},
    member_group_ids: [],
    credentials: { pin: { pin: '583920' } },
  }
  const { id } = await client.grants.create(grant)
  const begun = await client.members.erase(id, { reason: 'admin' })
  expect(await client.erasures.create({ member_id: id })).toMatchObject({ id: begun.id })
  const refused = { type: 'invalid_request', args: { reason: 'erased' } }
  await expect(client.members.edit(id, { is_deleted: false })).rejects.toMatchObject(refused)
  await expect(client.members.edit(id, { name: 'x' })).rejects.toMatchObject(refused)
  await expect(client.member_pins.create(id, {})).rejects.toMatchObject(refused)
  const again = await client.grants.create(grant)
  expect(again.id).not.toBe(id)
  await workUntil(w, client, begun.id, 'done')
  await expect(client.erasures.create({ member_id: id })).rejects.toMatchObject(refused)
  await expect(client.erasures.cancel(begun.id)).rejects.toMatchObject({ type: 'invalid_request' })
  expect(await client.members.delete(id)).toMatchObject({ is_deleted: true })
})

test('an erasure can be planned and canceled; events can go whole', async () => {
  const { client } = tenant
  const { id } = await client.members.create({ name: 'Later' })
  const at = (days: number) => new Date(Date.parse(w.clock.now()) + days * 86_400_000).toISOString()
  await expect(client.erasures.create({ member_id: id, scheduled_at: at(31) })).rejects.toMatchObject({
    args: { field: 'scheduled_at' },
  })
  const planned = await client.erasures.create({ member_id: id, scheduled_at: at(1) })
  expect(planned.state).toBe('scheduled')
  expect(await client.erasures.cancel(planned.id)).toMatchObject({ state: 'canceled' })
  const again = await client.erasures.create({ member_id: id, scheduled_at: at(1), events: 'delete' })
  expect(again.id).not.toBe(planned.id)
  await workUntil(w, client, again.id, 'scheduled')
  expect(await client.members.get(id)).toMatchObject({ name: 'Later', erased_at: null })
  w.clock.advance(86_400)
  await workUntil(w, client, again.id, 'done')
  await expect(client.erasures.create({ member_id: 'mem_00000000000000000000' })).rejects.toMatchObject({
    args: { field: 'member_id' },
  })
})

test('an erasure says when the last backup that knew the member is gone, if there are backups', async () => {
  const { client } = tenant
  const { id } = await client.members.create({ name: 'Backed up' })
  const { backups_clear_at } = await workUntil(w, client, (await client.members.erase(id, {})).id, 'done')
  expect(backups_clear_at).toBe(null)
  const other = await client.members.create({ name: 'Backed up' })
  const planned = await client.erasures.create({
    member_id: other.id,
    scheduled_at: new Date(Date.parse(w.clock.now()) + 60_000).toISOString(),
  })
  w.clock.advance(60)
  const { config, ...context } = w.server.context
  await tendErasures({ ...context, config: { ...config, backup_dir: '/backups' } })
  const begun = await client.erasures.get(planned.id)
  expect(Date.parse(begun.backups_clear_at ?? '')).toBe(Date.parse(begun.started_at ?? '') + 396 * 86_400_000)
})

test('an organization can ask for 100 erasures a minute', async () => {
  const { client } = await w.tenant()
  const erase = async () => client.members.erase((await client.members.create({ name: 'A' })).id, {})
  for (let count = 0; count < 100; count++) await erase()
  await expect(erase()).rejects.toMatchObject({ type: 'rate_limited', status: 429 })
  w.clock.advance(61)
  await erase()
})

test('a suspension ends with the erasure, and nobody is told later that it was lifted', async () => {
  const { client } = tenant
  const { id } = await client.members.create({ name: 'Late' })
  const pin = await client.member_pins.create(id, {})
  const suspended_until = new Date(Date.parse(w.clock.now()) + 3_600_000).toISOString()
  await client.members.edit(id, { is_suspended: true, suspended_until })
  await client.member_pins.edit(id, pin.id, { is_suspended: true, suspended_until })
  const edits = async () => (await client.events.list({ 'object.member_id': id, verb: 'edit' })).data.length
  const begun = await client.members.erase(id, {})
  expect(await client.members.get(id)).toMatchObject({ is_suspended: false, suspended_until: null })
  w.clock.advance(3601)
  const before = await edits()
  await endSuspensions(w.server.context)
  expect(await edits()).toBe(before)
  await workUntil(w, client, begun.id, 'done')
})

/** `eraseEvents` looks for edits of these. */
test('the fields of other objects that name members are known', () => {
  const naming = Object.values<Resource>(resources)
    .filter(({ kind, parent }) => kind !== 'member' && parent !== 'member')
    .flatMap(({ fields }) => Object.keys(fields).filter(name => /(^|_)members?_ids?$/.test(name)))
  expect([...new Set(naming)].sort()).toEqual(['member_id', 'member_ids'])
})

test('edits of other objects lose the ID of the member', async () => {
  const { client, organization_id } = tenant
  const [gone, other] = [
    await client.members.create({ name: 'A' }),
    await client.members.create({ name: 'B' }),
  ]
  const { db, clock } = w.server.context
  const changes = [{ field: 'member_ids', before: [gone.id, other.id], after: [other.id] }]
  const [event_id = ''] = await logEvents(db, [
    {
      organization_id,
      subject: {},
      verb: 'edit',
      object: { type: 'legal_hold', legal_hold_id: 'lh_00000000000000000000', changes },
      recorded_at: clock.now(),
    },
  ])
  const { id } = await client.erasures.create({ member_id: gone.id })
  await workUntil(w, client, id, 'done')
  const { object, is_unlinked } = await client.events.get(event_id)
  expect(is_unlinked).toBe(true)
  expect(object.changes).toMatchObject([{ before: [other.id], after: [other.id] }])
  await expect.poll(() => expectWholeChain(w).then(() => true)).toBe(true)
})

test('a transaction that has taken long enough leaves the other events for the next one', async () => {
  const quiet = await w.tenant()
  const { id: member_id } = await quiet.client.members.create({ name: 'Now' })
  for (const name of ['A', 'B', 'C']) await quiet.client.members.edit(member_id, { name })
  const { organization_id } = quiet
  const { db, config, clock } = w.server.context
  const linked = () =>
    db.query(
      'SELECT 1 FROM audit_links l JOIN events e ON e.organization_id = l.organization_id AND e.id = l.event_id WHERE l.organization_id = $1',
      [organization_id],
    )
  const happened = (await quiet.client.events.list()).data.length
  await expect.poll(async () => (await linked()).length).toBe(happened)
  const { deriveAuditKey } = await import('@gatehouse-access/server')
  const reached = new Reached()
  const means = {
    key: deriveAuditKey(config.secret_keys[0]),
    act: { organization_id, act: 'ers_y' },
    deletes: false,
    card_ids: [],
    reached,
    size: 100,
    at_once: 3,
    isOver: () => true,
    now: clock.now(),
  }
  const erased: number[] = []
  for (let turn = 0; turn < 3; turn++)
    erased.push(
      (await db.transaction(inner => eraseEvents(inner, { organization_id, member_id }, means))).events,
    )
  expect(erased).toEqual([3, 1, 0])
})

test('an event that is not linked yet waits', async () => {
  const quiet = await w.tenant()
  const member = await quiet.client.members.create({ name: 'Now' })
  const { db, config, clock } = w.server.context
  const { deriveAuditKey } = await import('@gatehouse-access/server')
  const found = await db.transaction(inner =>
    eraseEvents(
      inner,
      { organization_id: quiet.organization_id, member_id: member.id },
      {
        key: deriveAuditKey(config.secret_keys[0]),
        act: { organization_id: quiet.organization_id, act: 'ers_x' },
        deletes: false,
        card_ids: [],
        reached: new Reached(),
        size: 100,
        at_once: 100,
        now: clock.now(),
      },
    ),
  )
  expect(found.early.length + found.events).toBe(1)
})
