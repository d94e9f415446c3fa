import { type Receiver, receiver, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database, Pool, Row } from '../../packages/server/src/database/db.ts'
import { asQuery } from '../../packages/server/src/database/postgres/query.ts'
import { Flights } from '../../packages/server/src/telling/sending/flights.ts'
import { takeTurn, tellPeople } from '../../packages/server/src/telling/sending/tell-people.ts'
import { openSmtp, type Smtp } from '../telling/smtp.ts'
import { openTellings, prove } from './tellings.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
let smtp: Smtp
let ntfy: Receiver

beforeAll(async () => {
  smtp = owned.use(await openSmtp())
  ntfy = owned.use(await receiver())
  w = owned.use(await world({ smtp_url: smtp.url }))
})
beforeEach(async () => {
  tenant = await w.tenant('Hotel Miramar')
  smtp.received.length = 0
  smtp.refusal = undefined
  smtp.hold = undefined
  ntfy.received.length = 0
  ntfy.respond = 200
})
afterAll(() => owned.disposeAsync())

/** Another for each organization: an address is sent 5 codes an hour. */
const guards = () => `guards@${tenant.organization_id.replace('_', '-')}.example`
const titles = () => ntfy.received.map(({ event }) => String(event.title))

async function addTargets() {
  const { client } = tenant
  const mail = await client.notification_targets.create({ kind: 'email', address: guards() })
  await prove(tenant, smtp, mail.id)
  const topic = await client.notification_targets.create({ kind: 'ntfy', url: ntfy.url, topic: 'doors' })
  return [mail.id, topic.id] as const
}

type Rule = Parameters<Tenant['client']['alarm_rules']['create']>[0]

async function addRule(parts: Partial<Rule> = {}) {
  const ids = await addTargets()
  return tenant.client.alarm_rules.create({
    name: 'Doors',
    types: ['door_forced', 'door_held'],
    notify: ids.map(notification_target_id => ({ notification_target_id })),
    ...parts,
  })
}

test('a forced door is mailed and published within 2 s, and its end to the same, silently', async () => {
  const { doors, begin, end, after } = await openTellings(w, tenant, ['Front door'])
  await addRule()
  await begin('door_forced')
  await after(0)
  expect(titles()).toEqual([])
  await after(2)
  expect(titles()).toEqual(['Hotel Miramar: Door forced open, Front door, House'])
  expect(smtp.received).toMatchObject([{ subject: 'Door forced open, Front door, House' }])
  expect(smtp.received[0]?.to?.[0]?.address).toBe(guards())
  await after(60)
  expect(ntfy.received).toHaveLength(1)
  await end('door_forced')
  await after(2)
  expect(ntfy.received).toHaveLength(2)
  expect(ntfy.received[1]?.event).toMatchObject({ priority: 2, tags: ['white_check_mark'] })
  expect(smtp.received).toHaveLength(2)
  const { data } = await tenant.client.notifications.list({ limit: 10 })
  expect(data.map(({ channel, reason, status }) => `${channel} ${reason} ${status}`).sort()).toEqual([
    'email ended succeeded',
    'email opened succeeded',
    'ntfy ended succeeded',
    'ntfy opened succeeded',
  ])
  expect(data[0]?.attempts).toMatchObject([{ outcome: 'accepted' }])
  const [alarm] = (await tenant.client.alarms.list({ gadget_id: doors[0] ?? '' })).data
  expect(new Set(data.map(({ alarm_id }) => alarm_id))).toEqual(new Set([alarm?.id]))
})

test('what one rule says of one site within 10 s goes as one message, the gravest first', async () => {
  const { doors, begin, after } = await openTellings(w, tenant, ['A', 'B', 'C'])
  await addRule()
  await begin('door_held', doors.slice(0, 1))
  await after(4)
  await begin('door_held', doors.slice(1, 2))
  await after(3)
  expect(ntfy.received).toEqual([])
  await begin('door_forced', doors.slice(2))
  await after(2)
  expect(titles()).toEqual(['Hotel Miramar: Door forced open, C, House; 2 more'])
  await after(60)
  expect(ntfy.received).toHaveLength(1)
})

test('an alarm that is just changing is told as it is then', async () => {
  const { doors, begin, end, after } = await openTellings(w, tenant, ['Front door'])
  await addRule({ delay_seconds: 60 })
  await begin('door_held')
  const { db } = w.server.context
  await db.transaction(async changing => {
    await changing.query('SELECT 1 FROM alarms WHERE gadget_id = $1 FOR UPDATE', [doors[0]])
    w.clock.advance(60)
    await takeTurn(w.server.context, tenant.organization_id, new Flights())
  })
  w.clock.advance(-10)
  await end('door_held')
  await after(21)
  expect(titles()).toEqual([])
})

test('a receiver that hangs keeps nobody else waiting', async () => {
  const { doors, begin } = await openTellings(w, tenant, ['A', 'B'])
  await addRule()
  const release = Promise.withResolvers<void>()
  smtp.hold = () => release.promise
  const flights = new Flights()
  for (const door of doors) {
    await begin('door_forced', [door])
    for (const seconds of [0, 1]) {
      w.clock.advance(seconds)
      await takeTurn(w.server.context, tenant.organization_id, flights)
    }
  }
  await expect
    .poll(titles)
    .toEqual([expect.stringContaining('A, House'), expect.stringContaining('B, House')])
  const { data } = await tenant.client.notifications.list({ channel: 'email' })
  expect(data.map(({ attempts }) => attempts.length)).toEqual([0, 0])
  release.resolve()
  await flights.landed()
  expect(smtp.received).toHaveLength(2)
})

test('a receiver that fails is tried again, as the channel says, and then no more', async () => {
  const { begin, after } = await openTellings(w, tenant, ['Front door'])
  await addRule()
  ntfy.respond = 503
  smtp.refusal = { code: 451, text: 'later' }
  await begin('door_forced')
  for (const seconds of [2, 30, 60, 120, 300, 540, 750]) await after(seconds + 1)
  expect(ntfy.received).toHaveLength(7)
  await after(3600)
  expect(ntfy.received).toHaveLength(7)
  const { data } = await tenant.client.notifications.list({ limit: 10 })
  expect(data.map(({ status, attempts }) => [status, attempts.length])).toEqual([
    ['failed', 7],
    ['failed', 7],
  ])
})

test('a receiver that asks for time gets it, up to the longest pause', async () => {
  const { begin, after } = await openTellings(w, tenant, ['Front door'])
  await addRule()
  const asks = ['90', '86400']
  ntfy.respond = response => {
    const wait = asks.shift()
    response.writeHead(wait ? 429 : 200, wait ? { 'retry-after': wait } : {}).end()
  }
  await begin('door_forced')
  const counts = []
  for (const seconds of [2, 31, 60, 120, 629, 2]) {
    await after(seconds)
    counts.push(ntfy.received.length)
  }
  expect(counts).toEqual([1, 1, 2, 2, 2, 3])
})

test('an attempt that fails in the service itself counts, and is tried again', async () => {
  const { begin, after } = await openTellings(w, tenant, ['Front door'])
  await addRule()
  const keep = (secret: string | null) =>
    w.server.context.db.query(
      `UPDATE notification_targets SET secret_ciphertext = $2 WHERE organization_id = $1 AND kind = 'ntfy'`,
      [tenant.organization_id, secret === null ? null : Buffer.from(secret)],
    )
  await keep('nobody can decrypt this')
  await begin('door_forced')
  await after(2)
  await after(30)
  await keep(null)
  await after(60)
  const { data } = await tenant.client.notifications.list({ channel: 'ntfy' })
  expect(data.map(({ attempts }) => attempts.map(({ outcome }) => outcome))).toEqual([
    ['not_sent', 'not_sent', 'accepted'],
  ])
  expect(smtp.received).toHaveLength(1)
})

test('whoever dies at any statement between alarm and message loses none, and repeats one at most', async () => {
  const { begin, end, after } = await openTellings(w, tenant, ['Front door'])
  await addRule()
  const problems: string[] = []
  let deaths = 0
  for (let last = 1; last <= 16; last++) {
    ntfy.received.length = 0
    smtp.received.length = 0
    await begin('door_forced')
    w.clock.advance(2)
    const dying = { ...w.server.context, db: mortal(w.server.context.db, last), log: silent }
    await tellPeople(dying).catch(() => deaths++)
    // Another process goes on, once what the dead one took is free.
    for (const seconds of [1, 2, 61]) await after(seconds)
    for (const count of [ntfy.received.length, smtp.received.length])
      if (count < 1 || count > 2) problems.push(`${count} messages after death at statement ${last}`)
    await end('door_forced')
    await after(3600)
  }
  expect(problems).toEqual([])
  expect(deaths).toBeGreaterThan(8)
})

const silent = { error: () => undefined } as never

/** A database that answers nothing from a statement on, as to a process that was killed then. */
function mortal(db: Pool, last: number): Pool {
  let count = 0
  const over = (inner: Database) =>
    asQuery((statement, values) =>
      ++count < last ? inner.query<Row>(statement, values) : Promise.reject(new Error('killed')),
    )
  return {
    ...db,
    query: over(db),
    transaction: work =>
      db.transaction(inner => work({ ...inner, query: over(inner), transaction: next => next(inner) })),
  }
}

test('an address is proved before it is told anything, and a test says what became of it', async () => {
  const { client } = tenant
  const mail = await client.notification_targets.create({ kind: 'email', address: guards() })
  await expect(client.notification_targets.test(mail.id)).rejects.toMatchObject({ status: 400 })
  await prove(tenant, smtp, mail.id)
  expect(await client.notification_targets.get(mail.id)).toMatchObject({ is_verified: true })
  smtp.received.length = 0
  expect(await client.notification_targets.test(mail.id)).toMatchObject({
    is_delivered: true,
    outcome: 'accepted',
  })
  expect(smtp.received).toHaveLength(1)
  const topic = await client.notification_targets.create({ kind: 'ntfy', url: ntfy.url, topic: 'doors' })
  ntfy.respond = 403
  const tested = await client.notification_targets.test(topic.id)
  expect(tested).toMatchObject({ is_delivered: false, outcome: 'refused', status_code: 403 })
  expect(await client.notifications.get(tested.notification_id)).toMatchObject({
    reason: 'test',
    status: 'failed',
    attempts: [{ status_code: 403 }],
  })
  await w.server.context.db.query(
    'INSERT INTO mail_sends (email_key, sent_at) SELECT $1, $2 FROM generate_series(1, 58)',
    [`tests of ${tenant.organization_id}`, w.clock.now()],
  )
  const answer = await fetch(`${w.url}/v2/notification_targets/${topic.id}/test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(await answer.json()).toMatchObject({ type: 'rate_limited', message: expect.stringContaining('60') })
  expect(ntfy.received).toHaveLength(1)
})
