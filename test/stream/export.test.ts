import { world } from '@gatehouse/testkit'
import { expect, test } from 'vitest'

test('events are exported as NDJSON and CSV, all of them, filtered as the list', async () => {
  await using w = await world()
  const tenant = await w.tenant()
  await (await w.tenant()).client.members.create({})
  const { db } = w.server.context
  await db.query(
    `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
     SELECT 'evt_' || lpad(n::text, 20, '0'), $1, '{"client":{"user_agent":"=1+1,\\"x\\""}}', 'use', '{"type":"gadget_action"}', now(), now(), false
     FROM generate_series(1, 2500) n`,
    [tenant.organization_id],
  )
  const get = (query: string) =>
    fetch(`${w.url}/v2/events/export?${query}`, { headers: { authorization: `Bearer ${tenant.token}` } })
  const lines = (await (await get('format=ndjson&verb=use')).text()).trimEnd().split('\n')
  expect(lines).toHaveLength(2500)
  expect(JSON.parse(lines[7] as string)).toMatchObject({
    verb: 'use',
    organization_id: tenant.organization_id,
  })
  const answer = await get('format=csv&verb=use')
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const rows = (await answer.text()).trimEnd().split('\r\n')
  expect(rows).toHaveLength(2501)
  expect(rows[0]).toContain('id,created_at,recorded_at,verb,object.type')
  expect(rows[1]).toContain(`"'=1+1,""x"""`)
  expect((await get('format=xml')).status).toBe(400)
  expect((await get('format=csv&limit=5')).status).toBe(400)
  expect((await get('format=csv&nope=5')).status).toBe(400)
  expect((await fetch(`${w.url}/v2/events/export?format=csv`)).status).toBe(401)
})
