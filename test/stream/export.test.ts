import { soak, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { found, signUp } from '../oauth/people.ts'

let w: World
beforeAll(async () => {
  w = await world({ is_reachable: true })
})
afterAll(() => w[Symbol.asyncDispose]())

test('events are exported as NDJSON and CSV, all of them, filtered as the list', async () => {
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

const pages = 8

/**
 * Far more than fits into the buffers between service and reader, so that most pages are loaded while the
 * reader proceeds.
 */
async function fill(organization_id: string, prefix: string): Promise<void> {
  await w.server.context.db.query(
    `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
     SELECT 'evt_' || $2 || lpad(n::text, 18, '0'), $1, jsonb_build_object('client', jsonb_build_object('user_agent', repeat('x', 4000))),
       'use', '{"type":"gadget_action"}', now(), now(), false FROM generate_series(1, ${pages * 1000}) n`,
    [organization_id, prefix],
  )
}

/** Reads an export. Runs `meanwhile` once it has started. */
async function readExport(headers: Record<string, string>, meanwhile?: () => Promise<unknown>) {
  const answer = await fetch(`${w.url}/v2/events/export?format=ndjson&verb=use`, { headers })
  expect(answer.status).toBe(200)
  let lines = 0
  try {
    for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
      if (lines === 0) await meanwhile?.()
      lines += Buffer.from(chunk).toString().split('\n').length - 1
    }
    return { lines, isWhole: true }
  } catch {
    return { lines, isWhole: false }
  }
}

test('an export breaks off when its token is revoked', async () => {
  const tenant = await w.tenant()
  await fill(tenant.organization_id, '0t')
  const headers = { authorization: `Bearer ${tenant.token}` }
  const { db } = w.server.context
  const revoke = () =>
    db.query('UPDATE access_tokens SET revoked_at = now() WHERE organization_id = $1', [
      tenant.organization_id,
    ])
  const { lines, isWhole } = await readExport(headers, revoke)
  expect(isWhole).toBe(false)
  expect(lines).toBeLessThan(pages * 1000)
  expect((await fetch(`${w.url}/v2/events/export?format=csv`, { headers })).status).toBe(401)
})

soak('an export breaks off when the user who asked is removed, and is whole when nobody is', async () => {
  const user = await signUp(w, 'owner@example.com')
  const organization_id = await found(user)
  await fill(organization_id, '0u')
  const { body } = await user.account<{ csrf_token: string }>('GET', '/account/session')
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'x-csrf-token': body.csrf_token, 'x-organization-id': organization_id }
  expect(await readExport(headers)).toEqual({ lines: pages * 1000, isWhole: true })
  const { db } = w.server.context
  const remove = () =>
    db.query('DELETE FROM organization_users WHERE organization_id = $1', [organization_id])
  const { lines, isWhole } = await readExport(headers, remove)
  expect(isWhole).toBe(false)
  expect(lines).toBeLessThan(pages * 1000)
})
