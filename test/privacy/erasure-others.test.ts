import { holdChanges, type World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemTimers } from '../../packages/server/src/flow/timers.ts'
import { tendErasures } from '../../packages/server/src/services/erasures/tend-erasures.ts'
import { makeCode, maySend } from '../../packages/server/src/services/mail/mail-codes.ts'
import { logEvents } from '../../packages/server/src/store/event-log.ts'
import { makeJob } from '../jobs/tag-job.ts'
import { openStage } from '../oauth/stage.ts'
import type { Visitor } from '../oauth/visitor.ts'
import { clientOf, expectWholeChain, workUntil } from './erase.ts'
import { asUser } from './owner.ts'

let w: World
let owner: Visitor
let organization_id: string

beforeAll(async () => {
  ;({ w, owner, organization_id } = await openStage({ delivery: true }))
})
afterAll(() => w[Symbol.asyncDispose]())

const ask = (method: string, path: string, body?: object) =>
  asUser(owner, organization_id)<Record<string, unknown> & { id: string }>(method, path, body)

async function countCodes(email: string): Promise<number> {
  return (await w.server.context.db.query('SELECT 1 FROM mail_codes WHERE email_key = $1', [email])).length
}

test('erasing a member of one organization resets no limit of the address, and takes no code from another one', async () => {
  const { context } = w.server
  const email = 'guest@example.com'
  const [one, other] = [await w.tenant(), await w.tenant()]
  const guest = await one.client.members.create({ name: 'Guest' })
  await one.client.member_emails.create(guest.id, { email })
  await makeCode(context, email, 'guest', {})
  for (const _ of [2, 3, 4, 5]) expect(await maySend(context, email)).toBe(true)
  expect(await maySend(context, email)).toBe(false)
  const copy = await other.client.members.create({ name: 'Copy' })
  await other.client.member_emails.create(copy.id, { email })
  await other.client.members.erase(copy.id, {})
  expect(await maySend(context, email)).toBe(false)
  expect(await countCodes(email)).toBe(1)
  await one.client.members.erase(guest.id, {})
  expect(await maySend(context, email)).toBe(false)
  expect(await countCodes(email)).toBe(0)
  const named = await context.db.query('SELECT 1 FROM mail_sends WHERE position($1 IN email_key) > 0', [
    email,
  ])
  expect(named).toEqual([])
})

test('stored answers are emptied, whatever words they have: of the member, and of cards that go with it', async () => {
  const { token, client, organization_id } = await w.tenant()
  const create = async (key: string, path: string, body: object) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    }
    const answer = await fetch(`${w.url}/v2${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return ((await answer.json()) as { id: string }).id
  }
  const id = await create('member', '/members', { name: 'Ann', metadata: { members_since: '2020' } })
  const card_id = await create('card', '/cards', { uid: '04A1B2C3D4E5F6', name: 'Ann' })
  await create('other card', '/cards', { uid: '04A1B2C3D4E5F7', name: 'Bob' })
  await client.member_cards.create(id, { card_id })
  const erasure = await client.members.erase(id, { includes_cards: true })
  await workUntil(w, client, erasure.id, 'done')
  const kept = await w.server.context.db.query<{ key: string }>(
    `SELECT key FROM idempotency_keys WHERE organization_id = $1 AND answer IS NOT NULL AND key IN ('member', 'card', 'other card')`,
    [organization_id],
  )
  expect(kept).toEqual([{ key: 'other card' }])
})

/** Erases a member while a bulk request with a key waits in its second operation. Returns what is stored of it in the end. */
async function eraseBetween(first: (member_id: string) => object): Promise<Uint8Array | null | undefined> {
  const { token, client, organization_id } = await w.tenant()
  const { db } = w.server.context
  const { id: member_id } = await client.members.create({ name: 'Ann' })
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const operations = [
    first(member_id),
    { method: 'PATCH', path: `/sites/${site.id}`, body: { name: 'Home' } },
  ]
  const stored = async () =>
    (
      await db.query<{ answer: Uint8Array | null }>(
        `SELECT answer FROM idempotency_keys WHERE organization_id = $1 AND key = 'bulk'`,
        [organization_id],
      )
    )[0]?.answer
  const release = await holdChanges(db, 'sites')
  const asked = fetch(`${w.url}/v2/bulk`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': 'bulk',
    },
    body: JSON.stringify({ operations }),
  })
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await db.query(waiting)).length).toBeGreaterThan(0)
  // The two are tried together first.
  await new Promise(resolve => setTimeout(resolve, 300))
  const erasure = await client.members.erase(member_id, {})
  await workUntil(w, client, erasure.id, 'done')
  await release()
  const { results } = (await (await asked).json()) as { results: { status: number }[] }
  expect(results.map(({ status }) => status)).toEqual([200, 200])
  return stored()
}

test('a bulk request that goes on while a member is erased stores the member neither again nor late', async () => {
  expect(
    await eraseBetween(id => ({ method: 'PATCH', path: `/members/${id}`, body: { name: 'Ann Adler' } })),
  ).toBeNull()
  expect(await eraseBetween(id => ({ method: 'GET', path: `/members/${id}` }))).toBeNull()
})

test('of a scheduled erasure the stored answer goes if it was expanded, and stays if it has the bare ID', async () => {
  const { token, client, organization_id } = await w.tenant()
  const scheduled_at = new Date(Date.parse(w.clock.now()) + 3_600_000).toISOString()
  const schedule = async (key: string, query: string) => {
    const { id: member_id } = await client.members.create({ name: 'Ann' })
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    }
    const body = JSON.stringify({ member_id, scheduled_at })
    const answer = await fetch(`${w.url}/v2/erasures${query}`, { method: 'POST', headers, body })
    return (await answer.json()) as { id: string; member?: { name: string } }
  }
  const expanded = await schedule('expanded', '?expand=member')
  expect(expanded.member).toMatchObject({ name: 'Ann' })
  const bare = await schedule('bare', '')
  w.clock.advance(3601)
  for (const { id } of [expanded, bare]) await workUntil(w, client, id, 'done')
  const kept = await w.server.context.db.query<{ key: string }>(
    'SELECT key FROM idempotency_keys WHERE organization_id = $1 AND answer IS NOT NULL',
    [organization_id],
  )
  expect(kept).toEqual([{ key: 'bare' }])
})

test('an erasure waits for jobs that may hold the member, and empties their rows and what else came late', async () => {
  const tenant = await w.tenant()
  const { db } = w.server.context
  const { id } = await tenant.client.members.create({ name: 'Ann' })
  const job = await makeJob(w, tenant, { count: 1 })
  await db.query(`UPDATE jobs SET state = 'running', owner = 'x', owned_until = 'infinity' WHERE id = $1`, [
    job.id,
  ])
  w.clock.advance(1)
  const erasure = await tenant.client.members.erase(id, {})
  const stageOf = async () =>
    (await db.query<{ stage: string }>('SELECT stage FROM erasures WHERE id = $1', [erasure.id]))[0]?.stage
  await expect
    .poll(async () => {
      await tendErasures(w.server.context)
      return stageOf()
    })
    .toBe('receipt')
  await tendErasures(w.server.context)
  expect(await tenant.client.erasures.get(erasure.id)).toMatchObject({ state: 'running' })
  await db.query(
    `INSERT INTO job_rows (organization_id, job_id, number, outcome, object_id, detail_ciphertext) VALUES ($1, $2, 1, 'updated', $3, 'x')`,
    [tenant.organization_id, job.id, id],
  )
  const [late = ''] = await logEvents(db, [
    {
      organization_id: tenant.organization_id,
      subject: { member_id: id },
      verb: 'use',
      object: { type: 'gadget_action', gadget_action_id: 'open' },
      recorded_at: w.clock.now(),
    },
  ])
  await db.query(`UPDATE jobs SET state = 'succeeded', ended_at = now() WHERE id = $1`, [job.id])
  await workUntil(w, tenant.client, erasure.id, 'done')
  const rows = await db.query('SELECT object_id, detail_ciphertext FROM job_rows WHERE job_id = $1', [job.id])
  expect(rows).toEqual([{ object_id: null, detail_ciphertext: null }])
  expect(await tenant.client.events.get(late)).toMatchObject({
    is_unlinked: true,
    subject: { member_id: null },
  })
  await expect.poll(() => expectWholeChain(w).then(() => true)).toBe(true)
})

test('a hold that is set while an erasure runs keeps the events that are left', async () => {
  const client = clientOf(owner, organization_id)
  const { body: member } = await ask('POST', '/members', { name: 'There' })
  const { body: erasure } = await ask('POST', '/erasures', { member_id: member.id })
  expect(erasure).toMatchObject({ state: 'running' })
  const expires_at = new Date(Date.parse(w.clock.now()) + 3_600_000).toISOString()
  const { body: hold } = await ask('POST', '/legal_holds', { name: 'All of it', expires_at })
  await workUntil(w, client, erasure.id, 'blocked')
  const named = () =>
    w.server.context.db.query(
      `SELECT 1 FROM events WHERE organization_id = $1 AND object->>'member_id' = $2 AND verb = 'create' AND object->>'type' = 'member'`,
      [organization_id, member.id],
    )
  expect(await named()).toHaveLength(1)
  expect(await ask('POST', `/erasures/${erasure.id}/cancel`, {})).toMatchObject({ status: 400 })
  await ask('DELETE', `/legal_holds/${hold.id}`)
  await workUntil(w, client, erasure.id, 'done')
  expect(await named()).toHaveLength(0)
})

test('an organization with many erasures does not keep others waiting', async () => {
  const { context } = w.server
  const [many, one] = [await w.tenant(), await w.tenant()]
  const operations = Array.from({ length: 30 }, (_, index) => ({
    method: 'POST' as const,
    path: '/members',
    body: { name: `Member ${index}` },
  }))
  await many.client.bulk(operations)
  await context.db.query(
    `INSERT INTO erasures (id, organization_id, member_id, state, scheduled_at, events, includes_cards, reason, counts, stage, device_ids, card_ids,
       worked_at, started_at, is_deleted, created_at)
     SELECT 'ers_' || id, organization_id, id, 'blocked', $2, 'unlink', false, 'request', '{}', 'rows', '{}', '{}', '2000-01-01', $2, false, $2
     FROM members WHERE organization_id = $1`,
    [many.organization_id, w.clock.now()],
  )
  const { id } = await one.client.members.create({ name: 'One' })
  const erasure = await one.client.members.erase(id, {})
  w.clock.advance(4)
  // Time for five steps.
  let asked = 0
  const timers = { ...systemTimers, elapsed: () => 600 * asked++ }
  await tendErasures({ ...context, timers })
  const [row] = await context.db.query<{ stage: string }>('SELECT stage FROM erasures WHERE id = $1', [
    erasure.id,
  ])
  expect(row?.stage).not.toBe('rows')
  await context.db.query(`UPDATE erasures SET state = 'canceled' WHERE organization_id = $1`, [
    many.organization_id,
  ])
})
