import { addSeconds } from '@gatehouse-access/core'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { logEvents } from '../../packages/server/src/store/event-log.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  owned.use(new JobRunner(w.server.context, jobTypes))
  tenant = await w.tenant('Casa Azul')
})
afterAll(() => owned.disposeAsync())

interface Exported {
  readonly member: Record<string, unknown>
  readonly credentials: { kind: string; value: string | null }[]
  readonly groups: { name: string; opens: string[] | null }[]
  readonly events: { id: string; by: string; ip_address?: string; object: Record<string, unknown> }[]
}

async function fetchFile(id: string, name: string, token = tenant.token): Promise<Response> {
  return fetch(`${w.url}/v2/jobs/${id}/files/${name}`, { headers: { authorization: `Bearer ${token}` } })
}

/** Every event that the list finds, by either filter. */
async function listedEvents(member_id: string): Promise<string[]> {
  const ids = new Set<string>()
  for (const side of ['subject', 'object'] as const)
    for await (const { id } of tenant.client.events.all({ [`${side}.member_id`]: member_id })) ids.add(id)
  return [...ids].sort()
}

test('a person is told everything that is held about them, and nothing of others', async () => {
  const { client, organization_id } = tenant
  const site = await client.sites.create({ name: 'Madrid', timezone: 'Europe/Madrid' })
  const group = await client.member_groups.create({ name: 'Cleaners', permissions: [{ site_id: site.id }] })
  const member = await client.members.create({
    name: 'Xochitl <b>',
    language: 'de',
    metadata: { room: '12 & 13' },
  })
  const other = await client.members.create({ name: 'Quetzal' })
  await client.member_emails.create(member.id, { email: 'xochitl@example.com' })
  await client.member_emails.create(other.id, { email: 'quetzal@example.com' })
  const { pin } = await client.member_pins.create(member.id, { pin: '83920174' })
  await client.member_group_associations.create(member.id, { member_group_id: group.id })
  const given = await client.member_cards.create(member.id, { uid: '04A1B2C3D4E5F6' })
  await client.cards.edit(given.card_id, { name: 'Blue fob', is_lost: true, lost_reason: 'In the taxi' })
  const returned = await client.member_cards.create(member.id, { uid: '04A1B2C3D4E5F7' })
  await client.member_cards.delete(member.id, returned.id)
  await client.cards.edit(returned.card_id, { name: 'Fob of Quetzal' })
  const suspended = { is_suspended: true, suspended_reason: 'Unpaid rent' }
  await client.members.edit(member.id, { name: 'Xochitl & <i>', ...suspended })
  const now = w.clock.now()
  await logEvents(
    w.server.context.db,
    Array.from({ length: 1100 }, (_, index) => ({
      organization_id,
      subject: {
        member_id: index % 11 === 0 ? other.id : member.id,
        ip_address: index % 11 === 0 ? '198.51.100.9' : '203.0.113.7',
      },
      verb: 'use' as const,
      object: { type: 'gadget_action' as const, gadget_action_id: 'open' },
      created_at: addSeconds(now, -index * 60),
      recorded_at: now,
    })),
  )
  await logEvents(w.server.context.db, [
    {
      organization_id,
      subject: { user_id: 'usr_06gxjs3e7dds3ssctgw6', ip_address: '192.0.2.44' },
      verb: 'reveal',
      object: { type: 'member_pin', member_id: member.id },
      recorded_at: now,
    },
    {
      organization_id,
      subject: { member_id: member.id },
      verb: 'edit',
      object: {
        type: 'member',
        member_id: other.id,
        changes: [{ field: 'name', before: 'Quetzal', after: 'Q' }],
      },
      recorded_at: now,
    },
    {
      organization_id,
      subject: { user_id: 'usr_06gxjs3e7dds3ssctgw6' },
      verb: 'edit',
      object: {
        type: 'alarm',
        alarm_id: 'alm_06gxjs3e7dds3ssctgw6',
        member_id: member.id,
        changes: [
          { field: 'state', before: 'open', after: 'acknowledged' },
          { field: 'acknowledged_by_user_id', before: null, after: 'usr_06gxjs3e7dds3ssctgw6' },
        ],
      },
      recorded_at: now,
    },
  ])
  const expected = await listedEvents(member.id)
  expect(expected.length).toBeGreaterThan(1000)

  const job = await client.members.data_export(member.id)
  expect(job).toMatchObject({ type: 'member_data', state: 'queued' })
  const done = await client.jobs.wait(job.id)
  expect(done).toMatchObject({
    state: 'succeeded',
    files: [{ name: 'member-data.json' }, { name: 'member-data.html' }],
  })
  const text = await (await fetchFile(job.id, 'member-data.json')).text()
  const exported = JSON.parse(text) as Exported
  expect(exported.events.map(({ id }) => id).sort()).toEqual(expected)
  expect(exported.member).toMatchObject({
    id: member.id,
    name: 'Xochitl & <i>',
    metadata: { room: '12 & 13' },
    ...suspended,
  })
  expect(exported.credentials.map(({ kind, value }) => [kind, value])).toEqual([
    ['member_email', 'xochitl@example.com'],
    ['member_pin', null],
    ['member_card', '04A1B2C3D4E5F6'],
    ['member_card', '04A1B2C3D4E5F7'],
  ])
  expect(exported.credentials.slice(2)).toMatchObject([
    { card_name: 'Blue fob', lost_reason: 'In the taxi', is_suspended: false },
    { card_name: null },
  ])
  const acknowledged = exported.events.find(({ object }) => object.type === 'alarm')
  expect(acknowledged?.object.changes).toEqual([
    { field: 'state', before: 'open', after: 'acknowledged' },
    { field: 'acknowledged_by_user_id' },
  ])
  expect(exported.groups).toMatchObject([{ name: 'Cleaners', opens: ['Madrid'] }])
  expect(new Set(exported.events.map(({ by }) => by))).toEqual(
    new Set(['you', 'an application', 'an administrator']),
  )

  const response = await fetchFile(job.id, 'member-data.html')
  expect(response.headers.get('content-disposition')).toContain('attachment')
  const page = await response.text()
  expect(page).toContain('<html lang="de" dir="ltr">')
  expect(page).toContain('Ihre Daten bei')
  expect(page).toContain('Xochitl &amp; &lt;i&gt;')
  for (const told of ['ja, Unpaid rent', 'Blue fob', 'In the taxi']) expect(page).toContain(told)
  expect(page).not.toContain('<i>')
  expect(page.match(/<tr><td>/g)?.length).toBeGreaterThan(expected.length)
  for (const held of [text, page])
    for (const word of ['Quetzal', 'quetzal', other.id, '198.51.100.9', '192.0.2.44', 'usr_', pin])
      expect(held).not.toContain(word)

  const { data } = await client.events.list({
    verb: 'reveal',
    'object.type': 'member',
    'object.member_id': member.id,
  })
  expect(data.map(({ subject }) => subject.oauth_application_id)).toEqual([
    tenant.oauth_application_id,
    tenant.oauth_application_id,
  ])
})

interface Held {
  readonly sessions: unknown[]
  readonly mails: { created_at: string; is_waiting: boolean }[]
  readonly credentials: { created_at: string; last_used_at: string | null }[]
  readonly periods: Record<string, unknown>
}

test('a person is told when mails were sent, when they signed in and from where, the dates of credentials, and periods', async () => {
  const { client, organization_id } = tenant
  const { db } = w.server.context
  const member = await client.members.create({ name: 'Yara' })
  const email = await client.member_emails.create(member.id, { email: 'yara@example.com' })
  const sent = w.clock.now()
  await client.members.invite(member.id, {})
  const queued = 'FROM guest_mails WHERE organization_id = $1 AND member_id = $2'
  // As when it has been accepted.
  await db.query(`DELETE ${queued}`, [organization_id, member.id])
  w.clock.advance(60)
  await client.members.invite(member.id, {})
  const signed = { created_at: w.clock.now(), ip_address: '203.0.113.9', client: 'Firefox' }
  await db.query(
    `INSERT INTO member_sessions (id, organization_id, member_id, member_email_id, token_hash, user_agent, ip_address, created_at, last_used_at, expires_at)
     VALUES ('mses_06gxjs3e7dds3ssctgw6', $1, $2, $7, '\\x01', $3, $4, $5, $5, $6)`,
    [
      organization_id,
      member.id,
      signed.client,
      signed.ip_address,
      signed.created_at,
      addSeconds(sent, 1e6),
      email.id,
    ],
  )
  const { id } = await client.members.data_export(member.id)
  await client.jobs.wait(id)
  const held = (await (await fetchFile(id, 'member-data.json')).json()) as Held
  expect(held.mails.map(({ created_at, is_waiting }) => [created_at >= sent, is_waiting])).toEqual([
    [true, false],
    [true, true],
  ])
  expect(held.mails[0]?.created_at).not.toBe(held.mails[1]?.created_at)
  expect(held.sessions).toMatchObject([signed])
  expect(held.credentials).toMatchObject([{ created_at: email.created_at, last_used_at: null }])
  expect(held.periods).toMatchObject({ member_days: null, access_days: null })
})

test('nobody else exports or fetches it', async () => {
  const { client } = tenant
  const member = await client.members.create({})
  const reader = await tenant.tokenWith(['full_read_only'])
  const stranger = await w.tenant()
  await expect(stranger.client.members.data_export(member.id)).rejects.toMatchObject({ status: 404 })
  await expect(tenant.clientWith(['full_read_only']).members.data_export(member.id)).rejects.toMatchObject({
    status: 403,
  })
  const { id } = await client.members.data_export(member.id)
  await client.jobs.wait(id)
  expect((await fetchFile(id, 'member-data.json', reader)).status).toBe(403)
  expect((await fetchFile(id, 'member-data.json', stranger.token)).status).toBe(404)
  w.clock.advance(7 * 86_400 + 1)
  expect((await fetchFile(id, 'member-data.json', await tenant.tokenWith(['full_read_write']))).status).toBe(
    410,
  )
})

test('of an erased member nothing can be exported', async () => {
  const { client } = await w.tenant()
  const member = await client.members.create({ name: 'Gone' })
  await client.members.erase(member.id)
  await expect(client.members.data_export(member.id)).rejects.toMatchObject({
    status: 400,
    args: { reason: 'erased' },
  })
})
