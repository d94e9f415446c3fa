import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { digestFor } from '../../packages/server/src/vault/contexts.ts'
import { found, signUp } from './people.ts'
import type { Visitor } from './visitor.ts'

let w: World
let owner: Visitor
let tenant: Tenant
let organization: string

beforeAll(async () => {
  w = await world({ is_reachable: true })
  owner = await signUp(w, 'owner@example.com', 'Olivia')
  tenant = await w.tenant()
  organization = `/account/organizations/${await found(owner, 'Hotel “Miramar”')}`
})
afterAll(() => w[Symbol.asyncDispose]())

async function create(path: string, body: object): Promise<number> {
  const token = await tenant.tokenWith(['full_read_write'])
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${w.url}/v2${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  await answer.arrayBuffer()
  return answer.status
}

test.for(['\n', '\r', '\u0007', '\u0085', '\u2028'])('no name holds %j', async mark => {
  const name = `Hotel${mark}Bcc: everybody@example.com`
  const statuses = [
    (await owner.account('POST', '/account/organizations', { name })).status,
    (await owner.account('PATCH', organization, { name })).status,
    (await owner.account('PATCH', '/account/user', { name })).status,
    (await owner.account('POST', '/account/applications', { name, redirect_uris: [] })).status,
    await create('/members', { name }),
    await create('/sites', { name, timezone: 'UTC' }),
    await create('/grants', { member: { name }, member_group_ids: [] }),
  ]
  expect(statuses).toEqual(statuses.map(() => 400))
  expect(await create('/members', { name: 'Zoë 🏨 \u202e' })).toBe(200)
})

test('mails show names as names, on one line, also those from before', async () => {
  const { db, mailer } = w.server.context
  await db.query('UPDATE users SET name = $1 WHERE email_key = $2', [
    'Eve\n\nPay at once”',
    'owner@example.com',
  ])
  w.server.context.db.afterCommit('rights_changed')
  await owner.account('POST', `${organization}/invitations`, { email: 'guest@example.com', role: 'viewer' })
  const mail = mailer.outbox?.find(({ to }) => to === 'guest@example.com')
  expect(mail?.subject).toBe('You are invited to “Hotel "Miramar"”')
  expect(mail?.text.split('\n')[0]).toBe(
    '“Eve Pay at once"” invites you to “Hotel "Miramar"” on Gatehouse as Viewer.',
  )
})

async function fill(key: string, count: number): Promise<void> {
  await w.server.context.db.query(
    'INSERT INTO mail_sends (email_key, sent_at) SELECT $1, $2 FROM generate_series(1, $3)',
    [key, w.clock.now(), count],
  )
}

test('an organization invites only so many users an hour, and is told when to go on', async () => {
  const [id] = organization.split('/').slice(-1)
  await fill(`users of ${id}`, 48)
  const invite = (name: string) =>
    owner.account('POST', `${organization}/invitations`, { email: `${name}@example.com`, role: 'viewer' })
  expect((await invite('fiftieth')).status).toBe(200)
  expect((await invite('late')).status).toBe(429)
  expect(w.server.context.mailer.outbox?.filter(({ to }) => to === 'late@example.com')).toEqual([])
  w.clock.advance(3601)
  expect((await invite('later')).status).toBe(200)
})

test('guests get only so many invitations, by organization and by address, and a refused one leaves nothing', async () => {
  const invite = async (email: string) => {
    const member = await tenant.client.members.create({ name: 'Guest' })
    expect(await create(`/members/${member.id}/emails`, { email })).toBe(200)
    return create(`/members/${member.id}/invitations`, {})
  }
  const [busy] = w.server.context.vault.digests('guest busy@example.com', digestFor.mail_send)
  await fill(busy?.toString('hex') ?? '', 29)
  expect([await invite('busy@example.com'), await invite('busy@example.com')]).toEqual([200, 429])
  await fill(`guests of ${tenant.organization_id}`, 998)
  expect([await invite('one@example.com'), await invite('two@example.com')]).toEqual([200, 429])
  const rows = await w.server.context.db.query('SELECT 1 FROM guest_mails WHERE organization_id = $1', [
    tenant.organization_id,
  ])
  expect(rows).toHaveLength(2)
})
