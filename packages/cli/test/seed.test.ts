import { createClient } from '@gatehouse-access/sdk'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouse } from './gatehouse.ts'

test('members and events are as if the service had written them', async () => {
  await using w = await world()
  const { organization_id, token } = await w.tenant()
  const { db } = w.server.context
  const args = ['seed', '--members', '1200', '--events', '6000']
  const { code, stdout } = await gatehouse(args, { DATABASE_URL: w.database_url })
  expect(code).toBe(0)
  expect(stdout).toMatch(/members {2}1,200 of 1,200 {2}100 % {2}[\d,]+\/s {2}in .* s\n/)
  expect(stdout).toMatch(/events {3}6,000 of 6,000 {2}100 %/)

  const client = createClient({ base_url: `${w.url}/v2`, token })
  const { data } = await client.members.list<{ group_associations: object[] }>({
    q: 'member 0000017',
    expand: ['group_associations', 'emails'],
  })
  expect(data).toMatchObject([{ name: 'Load test member 0000017', metadata: { sourceID: 'L-17' } }])
  expect(data[0]?.group_associations).toHaveLength(1)
  const uses = await client.events.list({ 'object.type': 'gadget_action', limit: 100 })
  expect(uses.data).toHaveLength(100)
  for (const event of uses.data.slice(0, 5)) expect(await client.events.get(event.id)).toEqual(event)

  const count = async (text: string) =>
    Number((await db.query<{ count: string }>(text, [organization_id]))[0]?.count)
  for (const [table, kind] of [
    ['members', 'member'],
    ['member_emails', 'member_email'],
    ['member_group_associations', 'member_group_association'],
    ['member_groups', 'member_group'],
  ]) {
    const rows = await count(`SELECT count(*) FROM ${table} WHERE organization_id = $1`)
    const logged = await count(
      `SELECT count(*) FROM ${table} t JOIN events e ON e.organization_id = t.organization_id AND e.object->>'${kind}_id' = t.id
       AND e.object->>'type' = '${kind}' AND e.verb = 'create' AND e.recorded_at = t.created_at WHERE t.organization_id = $1`,
    )
    expect([table, logged]).toEqual([table, rows])
  }
  expect(await count('SELECT count(*) FROM members WHERE organization_id = $1')).toBe(1200)
  expect(await count(`SELECT count(*) FROM events_default WHERE organization_id = $1`)).toBe(0)
  expect(
    await count(`SELECT count(DISTINCT tableoid) FROM events WHERE organization_id = $1`),
  ).toBeGreaterThan(11)
})

test('events alone go to the members that are there', async () => {
  await using w = await world()
  const { token } = await w.tenant()
  const client = createClient({ base_url: `${w.url}/v2`, token })
  const member = await client.members.create()
  await gatehouse(['seed', '--events', '10'], { DATABASE_URL: w.database_url })
  const { data } = await client.events.list({ 'subject.member_id': member.id })
  expect(data).toHaveLength(10)
})
