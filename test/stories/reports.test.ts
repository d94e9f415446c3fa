import { mostReported } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Phone } from './guest.ts'

let w: World
let tenant: Tenant
let client: Client

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant('Hotel')
  client = tenant.client
  w.clock.set('2026-11-16T09:30:00Z')
})
afterAll(() => w[Symbol.asyncDispose]())

/** A site with a door that a keypad opens, and a guest with a PIN. */
async function house(name: string) {
  const site = await client.sites.create({ name, timezone: 'Europe/Madrid' })
  const controller = await client.devices.create({ name: 'C', site_id: site.id, product_id: 'controller' })
  const keypad = await client.devices.create({ name: 'K', site_id: site.id, product_id: 'keypad' })
  const door = await client.gadgets.create({ name: `Door of ${name}`, device_id: controller.id })
  await client.devices.edit(keypad.id, {
    input_rules: [{ code: '', gadget_id: door.id, action_id: 'open' }],
  })
  const group = await client.member_groups.create({ name, permissions: [{ site_id: site.id }] })
  const member = await client.members.create({ name: `Guest of ${name}` })
  await client.member_group_associations.create(member.id, { member_group_id: group.id })
  const pin = await client.member_pins.create(member.id, {})
  const type = (keys: string) => client.devices.simulate(keypad.id, { keys: `${keys}#` })
  return { site, door, member, pin, enter: () => type(pin.pin), guess: () => type('000000') }
}

test('a day is counted by hour, door, person and reason', async () => {
  const [north, south] = [await house('North'), await house('South')]
  const [early, late] = ['2026-11-17T08:10:00Z', '2026-11-17T21:50:00Z']
  w.clock.set(early)
  await north.enter()
  await north.enter()
  await south.enter()
  w.clock.set(late)
  await north.guess()
  w.clock.set('2026-11-18T06:00:00Z')
  await south.enter()

  const period = { from: '2026-11-17T00:00:00Z', until: '2026-11-18T00:00:00Z' }
  const report = await client.organization.activity(period)
  expect(report).toMatchObject({
    counted_from: expect.stringMatching(/^2026-11-17T00:00:00/),
    uses: 3,
    denials: 1,
    member_count: 2,
    gadget_count: 2,
    by_hour: [
      { at: expect.stringMatching(/^2026-11-17T08:00:00/), uses: 3, denials: 0 },
      { at: expect.stringMatching(/^2026-11-17T21:00:00/), uses: 0, denials: 1 },
    ],
    by_gadget: [
      {
        gadget_id: north.door.id,
        name: 'Door of North',
        uses: 2,
        denials: 1,
        last_at: expect.stringMatching(/^2026-11-17T21:50/),
      },
      { gadget_id: south.door.id, name: 'Door of South', uses: 1, denials: 0 },
    ],
    by_reason: [{ reason: 'unknown_credential', denials: 1 }],
  })
  expect(report.by_member).toHaveLength(3)
  expect(report.by_member).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ member_id: north.member.id, name: 'Guest of North', uses: 2 }),
      expect.objectContaining({ member_id: south.member.id, uses: 1 }),
      expect.objectContaining({ member_id: null, name: null, denials: 1 }),
    ]),
  )

  const ofSouth = await client.organization.activity({ ...period, site_id: south.site.id })
  expect(ofSouth).toMatchObject({
    uses: 1,
    denials: 0,
    by_gadget: [{ gadget_id: south.door.id }],
    by_reason: [],
  })

  const quiet = await client.organization.activity({
    from: '2026-11-01T00:00:00Z',
    until: '2026-11-02T00:00:00Z',
  })
  expect(quiet).toMatchObject({
    uses: 0,
    denials: 0,
    by_hour: [],
    by_gadget: [],
    by_member: [],
    by_reason: [],
  })
})

test('periods that cannot be, and sites that are not there, are refused', async () => {
  const ask = (query: Parameters<Client['organization']['activity']>[0]) =>
    client.organization.activity(query)
  await expect(ask({ from: '2026-11-18T00:00:00Z', until: '2026-11-18T00:00:00Z' })).rejects.toThrow(
    'from must be before until',
  )
  await expect(ask({ from: '2025-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' })).rejects.toThrow(
    '366 days',
  )
  await expect(ask({} as never)).rejects.toThrow('from')
  const other = await (await w.tenant('Other')).client.sites.create({ name: 'S', timezone: 'UTC' })
  await expect(ask({ from: '2026-11-17T00:00:00Z', site_id: other.id })).rejects.toThrow('there is no site')
  await expect(
    client.organization.unused({ since: '2026-11-17T00:00:00Z', site_id: other.id }),
  ).rejects.toThrow('there is no site')
})

test('of very many, the newest are counted, and the report says from when', async () => {
  const { client, organization_id } = await w.tenant('Busy')
  await w.server.context.db.query(
    `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
     SELECT 'evt_' || lpad(n::text, 20, '0'), $1, '{}', 'use', '{"type": "gadget_action", "gadget_id": "gad_1"}', at, at, false
     FROM generate_series(1, ${mostReported + 600}) n, LATERAL (SELECT '2026-11-01'::timestamptz + n * interval '1 second' AS at) t`,
    [organization_id],
  )
  // A denial of before that time, which would be compared with uses that are missing.
  await w.server.context.db.query(
    `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
     VALUES ('evt_denied', $1, '{}', 'create', '{"type": "access_denial", "gadget_id": "gad_1", "reason": "lockdown"}', '2026-11-01T00:05:00Z', '2026-11-01T00:05:00Z', false)`,
    [organization_id],
  )
  const report = await client.organization.activity({
    from: '2026-11-01T00:00:00Z',
    until: '2026-11-10T00:00:00Z',
  })
  expect(report).toMatchObject({
    uses: mostReported,
    denials: 0,
    counted_from: expect.stringMatching(/^2026-11-01T00:10:01/),
    by_gadget: [{ gadget_id: 'gad_1', name: null, uses: mostReported }],
  })
})

test('what nobody uses is found: doors and credentials', async () => {
  w.clock.set('2026-12-01T10:00:00Z')
  const { client } = await w.tenant('Quiet')
  const site = await client.sites.create({ name: 'S', timezone: 'UTC' })
  const controller = await client.devices.create({ name: 'C', site_id: site.id, product_id: 'controller' })
  const [used, idle] = [
    await client.gadgets.create({ name: 'Used', device_id: controller.id }),
    await client.gadgets.create({ name: 'Idle', device_id: controller.id }),
  ]
  const member = await client.members.create({ name: 'Ada' })
  const pin = await client.member_pins.create(member.id, {})
  const card = await client.cards.create({ uid: '04a2b3c4' })
  const given = await client.member_cards.create(member.id, { card_id: card.id })
  w.clock.set('2026-12-10T10:00:00Z')
  await client.gadgets.run_action(used.id, 'open')
  const fresh = await client.member_pins.create(member.id, {})

  const since = '2026-12-05T00:00:00Z'
  const found = await client.organization.unused({ since })
  expect(found).toMatchObject({
    gadgets: [{ gadget_id: idle.id, name: 'Idle', site_id: site.id, last_used_at: null }],
    gadget_count: 1,
    credential_count: 2,
    is_cut: false,
  })
  expect(found.credentials.map(({ kind, id, name }) => [kind, id, name]).sort()).toEqual(
    [
      ['member_card', given.id, 'Ada'],
      ['member_pin', pin.id, 'Ada'],
    ].sort(),
  )
  expect(found.credentials.map(({ id }) => id)).not.toContain(fresh.id)

  const other = await client.sites.create({ name: 'Other', timezone: 'UTC' })
  expect(await client.organization.unused({ since, site_id: other.id })).toMatchObject({
    gadgets: [],
    gadget_count: 0,
  })
  await client.members.delete(member.id)
  expect(await client.organization.unused({ since })).toMatchObject({ credentials: [], credential_count: 0 })
})

test('links, tokens and emails are found, too, unless somebody opens a door or signs in with them', async () => {
  w.clock.set('2026-12-01T10:00:00Z')
  const { client } = await w.tenant('Phones')
  const member = await client.members.create({ name: 'Ada' })
  const [link, busy] = [
    await client.member_magic_links.create(member.id, {}),
    await client.member_magic_links.create(member.id, {}),
  ]
  const token = await client.member_tokens.create(member.id, {})
  const email = await client.member_emails.create(member.id, { email: 'ada@example.com' })
  await client.member_emails.create(member.id, { email: 'only-mails@example.com' })
  const unusedOf = async (since: string) => {
    const { credentials, credential_count } = await client.organization.unused({ since })
    expect(credential_count).toBe(credentials.length)
    return credentials.map(({ kind, id, last_used_at }) => [kind, id, last_used_at?.slice(0, 10)]).toSorted()
  }
  const mails = () => w.server.context.mailer.outbox?.filter(({ to }) => to === 'ada@example.com') ?? []
  const signIn = async () => {
    const [phone, sent] = [new Phone(w), mails().length]
    await phone.ask('POST', '/email_codes', { email: 'ada@example.com' })
    await expect.poll(() => mails().length).toBe(sent + 1)
    const code = /\d{6}/.exec(mails()[0]?.text ?? '')?.[0]
    const { body } = await phone.ask<{ ticket: string }>('POST', '/email_codes/check', {
      email: 'ada@example.com',
      code,
    })
    await phone.ask('POST', '/sessions', { ticket: body.ticket, member_id: member.id })
  }
  await signIn()
  w.clock.set('2026-12-10T10:00:00Z')
  await new Phone(w).enter(busy.link)
  expect(await unusedOf('2026-12-05T00:00:00Z')).toEqual([
    ['member_email', email.id, '2026-12-01'],
    ['member_magic_link', link.id, undefined],
    ['member_token', token.id, undefined],
  ])
  await signIn()
  expect((await unusedOf('2026-12-05T00:00:00Z')).map(([kind]) => kind)).toEqual([
    'member_magic_link',
    'member_token',
  ])
})
