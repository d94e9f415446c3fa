import { type Tenant, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ask, requester, succeed } from './ask.ts'

/** One GET must not exhaust the service's memory, no matter how objects are nested. */
const owned = new AsyncDisposableStack()
let tenant: Tenant
let ask: Ask
let member: string

beforeAll(async () => {
  const w = owned.use(await world())
  tenant = await w.tenant()
  ask = requester(w.url, tenant.token)
  member = (await tenant.client.members.create({})).id
})
afterAll(() => owned.disposeAsync())

const get = (expand: string) => ask({ method: 'GET', path: `/members/${member}?expand=${expand}` })

test('at most 10,000 objects', async () => {
  for (let count = 0; count < 60; count++)
    await tenant.client.member_emails.create(member, { email: `guest${count}@example.com` })
  const most = await succeed(ask, {
    method: 'GET',
    path: `/members/${member}?expand=emails.member.emails.member`,
  })
  expect(JSON.stringify(most).match(/"id":/g)?.length).toBe(1 + 60 + 60 + 3600 + 3600)
  const { status, text } = await get('emails.member.emails.member.emails')
  expect(status).toBe(400)
  expect(text).toMatch(/expand 'emails.member.emails.member.emails' would put more than 10000 objects/)
})

test('at most 16 MiB of what stands in the lists of objects', async () => {
  const { id: member_group_id } = await tenant.client.member_groups.create({
    name: 'Many rules',
    permissions: Array.from({ length: 500 }, () => ({ presence: 'none', access_methods: { online: true } })),
  })
  for (let count = 0; count < 60; count++)
    await tenant.client.member_group_associations.create(member, { member_group_id })
  expect((await get('group_associations.member_group')).status).toBe(200)
  const { status, text } = await get('group_associations.member.group_associations.member_group')
  expect(status).toBe(400)
  expect(text).toMatch(/more than 16 MiB of rules/)
})
