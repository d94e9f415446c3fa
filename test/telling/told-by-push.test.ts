import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTellings } from '../alarms/tellings.ts'
import { signUp } from '../oauth/people.ts'
import type { Visitor } from '../oauth/visitor.ts'
import { openPushService, type PushService } from './push-service.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
let user: Visitor
let service: PushService

/** The service itself tells: nothing here calls what sends. */
beforeAll(async () => {
  service = owned.use(await openPushService())
  w = owned.use(
    await world({ is_reachable: true, jobs: true, mail_from: 'Gatehouse <doors@gatehouse.example>' }),
  )
  tenant = await w.tenant('Hotel Miramar')
  user = await signUp(w, 'olivia@example.com', 'Olivia')
  const { body } = await user.account<{ user: { id: string } }>('GET', '/account/session')
  await w.server.context.db.query('INSERT INTO organization_users VALUES ($1, $2, $3, now())', [
    tenant.organization_id,
    body.user.id,
    'administrator',
  ])
  await tenant.client.alarm_rules.create({
    name: 'Olivia',
    types: ['door_forced'],
    notify: [{ user_id: body.user.id }],
  })
})
afterAll(() => owned.disposeAsync())

const path = '/account/push_subscriptions'
const browsers = async () => (await user.account<{ data: object[] }>('GET', path)).body.data

async function subscribe() {
  const browser = service.browser()
  await user.account('POST', path, { ...browser.subscription, name: 'Chrome' })
  return browser
}

/** Lets time pass until so many messages have come. */
async function received(count: number): Promise<Buffer> {
  w.clock.advance(2)
  await expect.poll(() => service.received.length).toBe(count)
  return service.received.at(-1)?.body ?? Buffer.alloc(0)
}

test('a forced door is pushed to the browser of whom the rule names, acknowledged there, and its end is silent', async () => {
  const browser = await subscribe()
  const { doors, begin, end } = await openTellings(w, tenant, ['Front door'])
  await begin('door_forced')
  const shown = browser.read(await received(1))
  expect(shown).toMatchObject({ title: 'Door forced open, Front door, House', is_silent: false })
  const [alarm] = (await tenant.client.alarms.list({ gadget_id: doors[0] ?? '' })).data
  expect(shown).toMatchObject({ tag: alarm?.id, severity: 'critical', acknowledge: { label: 'Acknowledge' } })
  const { token } = shown.acknowledge as { token: string }
  const answer = await fetch(`${w.url}/push/acknowledge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  expect(answer.ok).toBe(true)
  expect(await tenant.client.alarms.get(alarm?.id ?? '')).toMatchObject({ state: 'acknowledged' })
  await end('door_forced')
  expect(browser.read(await received(2))).toMatchObject({
    tag: alarm?.id,
    is_silent: true,
    acknowledge: null,
  })
  const told = async () => (await tenant.client.notifications.list({ channel: 'push' })).data
  await expect
    .poll(async () => (await told()).map(({ reason, status }) => `${reason} ${status}`).sort())
    .toEqual(['ended succeeded', 'opened succeeded'])
  expect((await told())[0]?.attempts).toMatchObject([{ outcome: 'accepted', status_code: 201 }])
})

test('a browser that nothing can be sent to keeps no other from its message', async () => {
  await subscribe()
  const { db } = w.server.context
  const [broken] = await db.query<{ id: string }>(
    `UPDATE push_subscriptions SET subscription_ciphertext = '\\x00' WHERE id = (SELECT min(id) FROM push_subscriptions) RETURNING id`,
  )
  const { begin } = await openTellings(w, tenant, ['Cellar door'])
  await begin('door_forced')
  await received(3)
  const told = async () => (await tenant.client.notifications.list({ channel: 'push' })).data
  await expect
    .poll(async () => (await told()).map(({ attempts, status }) => [status, attempts.length]))
    .toEqual([
      ['succeeded', 1],
      ['succeeded', 1],
      ['succeeded', 1],
    ])
  await db.query('DELETE FROM push_subscriptions WHERE id = $1', [broken?.id])
})

test('whom an administrator has signed out is told by new browsers only, and a viewer cannot acknowledge', async () => {
  const { doors, begin } = await openTellings(w, tenant, ['Attic door', 'Roof door'])
  const { db, mailer } = w.server.context
  await user.account('PATCH', '/account/notification_settings', { channels: { critical: ['push'] } })
  await db.query(
    `UPDATE organization_users SET signed_out_at = $2, role = 'viewer' WHERE organization_id = $1`,
    [tenant.organization_id, w.clock.now()],
  )
  await begin('door_forced', doors.slice(0, 1))
  w.clock.advance(2)
  await expect
    .poll(() => mailer.outbox?.filter(({ subject }) => subject.includes('Attic door')).length)
    .toBe(1)
  const browser = await subscribe()
  await begin('door_forced', doors.slice(1))
  expect(browser.read(await received(4))).toMatchObject({ acknowledge: null })
})

test('a browser that is gone is removed, and its message and the next are mailed instead', async () => {
  const { doors, begin } = await openTellings(w, tenant, ['Side door', 'Back door'])
  const mailsOf = (door: string) =>
    w.server.context.mailer.outbox?.filter(({ subject }) => subject.includes(door)).map(({ to }) => to)
  service.status = 410
  await begin('door_forced', doors.slice(0, 1))
  await received(5)
  await expect.poll(browsers).toHaveLength(1)
  await expect.poll(() => mailsOf('Side door')).toEqual(['olivia@example.com'])
  await begin('door_forced', doors.slice(1))
  w.clock.advance(2)
  await expect.poll(() => mailsOf('Back door')).toEqual(['olivia@example.com'])
  expect(service.received).toHaveLength(5)
})
