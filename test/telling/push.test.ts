import { createPublicKey, verify } from 'node:crypto'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendPush } from '../../packages/server/src/push/send-push.ts'
import { findVapidKeys } from '../../packages/server/src/push/vapid-keys.ts'
import { vapidSubject } from '../../packages/server/src/push/vapid-subject.ts'
import { changePassword, password, signUp } from '../oauth/people.ts'
import type { Visitor } from '../oauth/visitor.ts'
import { forced, messageOf } from './alarms.ts'
import { openPushService, type PushService } from './push-service.ts'

let w: World
let user: Visitor
let service: PushService
const logged: string[] = []

beforeAll(async () => {
  w = await world({
    is_reachable: true,
    mail_from: 'Gatehouse <doors@gatehouse.example>',
    log_level: 'trace',
    log: { write: (line: string) => void logged.push(line) },
  })
  user = await signUp(w, 'owner@example.com', 'Olivia')
  service = await openPushService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
})

interface Listed {
  readonly data: readonly { readonly id: string; readonly name: string }[]
  readonly public_key: string | null
  readonly off_reason: string | null
}
const path = '/account/push_subscriptions'
const list = async () => (await user.account<Listed>('GET', path)).body

async function subscribe() {
  const browser = service.browser()
  const { status, body } = await user.account<{ id: string }>('POST', path, {
    ...browser.subscription,
    name: 'Chrome on Linux',
  })
  return { ...browser, status, id: body.id }
}
const testIt = async (id: string) => (await user.account('POST', `${path}/${id}/test`, {})).body

test('a message arrives encrypted for the browser, signed by the installation, and names nobody', async () => {
  const { context } = w.server
  const browser = service.browser()
  const needs = {
    sender: await context.channels.sender(),
    keys: await findVapidKeys(context),
    subject: vapidSubject(context.config),
  }
  const target = { user_id: 'usr_1', ...browser.subscription, acknowledge_token: 'ghn_token' }
  const outcome = await sendPush(needs, target, messageOf())
  expect(outcome).toMatchObject({ is_delivered: true, status_code: 201 })
  const { headers, body } = service.received.at(-1) ?? { headers: {}, body: Buffer.alloc(0) }
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '86400' })
  expect(headers.topic).toMatch(/^[\w-]{32}$/)
  expect(browser.read(body)).toEqual({
    title: 'Door forced open, Front door, Madrid',
    body: 'Hotel <Miramar> & Sons\nCritical. Since 17 Nov 2026, 09:05',
    tag: forced.id,
    url: messageOf().url,
    is_silent: false,
    severity: 'critical',
    acknowledge: { label: 'Acknowledge', token: 'ghn_token' },
  })
  expect(() => service.browser().read(body)).toThrow()
  expect(readVapid(String(headers.authorization))).toMatchObject({
    is_right: true,
    public_key: needs.keys.public_key,
    claims: { sub: 'mailto:doors@gatehouse.example', aud: new URL(browser.subscription.endpoint).origin },
  })
  await sendPush(needs, target, messageOf({ reason: 'ended' }))
  const ended = service.received.at(-1)
  expect(ended?.headers.topic).toBe(headers.topic)
  expect(browser.read(ended?.body ?? body)).toMatchObject({ is_silent: true, acknowledge: null })
})

test('the longest names still fit into a message', async () => {
  const { context } = w.server
  const browser = service.browser()
  const place = '💥ض'.repeat(200)
  const alarms = Array.from({ length: 300 }, () => ({ ...forced, place }))
  const needs = {
    sender: await context.channels.sender(),
    keys: await findVapidKeys(context),
    subject: vapidSubject(context.config),
  }
  const organization = { id: 'org_1', name: '💥'.repeat(255) }
  await sendPush(needs, { user_id: 'usr_1', ...browser.subscription }, messageOf({ alarms, organization }))
  const { body } = service.received.at(-1) ?? { body: Buffer.alloc(9999) }
  expect(body.length).toBeLessThanOrEqual(4096)
  expect(browser.read(body)).toMatchObject({ severity: 'critical' })
})

/** Checks the signature with the key that the header names. */
function readVapid(header: string) {
  const { t = '', k = '' } = Object.fromEntries(
    [...header.matchAll(/\b([tk])=([^,\s]+)/g)].map(([, name, value]) => [name, value]),
  )
  const [head = '', claims = '', signature = ''] = t.split('.')
  const point = Buffer.from(k, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'))
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } })
  const is_right = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return { is_right, public_key: k, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) }
}

test('the key pair is made once, by any number of processes, and never stored in the open', async () => {
  const { context } = w.server
  await context.db.query('DELETE FROM push_keys')
  const pairs = await Promise.all(Array.from({ length: 5 }, () => findVapidKeys(context)))
  expect(new Set(pairs.map(({ public_key }) => public_key)).size).toBe(1)
  const rows = await context.db.query('SELECT public_key, private_ciphertext FROM push_keys')
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(pairs[0]?.private_key)
  expect((await list()).public_key).toBe(pairs[0]?.public_key)
})

test('a browser is added, tested, and removed when its push service says that it is gone', async () => {
  const browser = await subscribe()
  expect(browser.status).toBe(200)
  expect(JSON.stringify(await list())).not.toMatch(/endpoint|p256dh|auth/)
  expect(await testIt(browser.id)).toEqual({
    is_delivered: true,
    status_code: 201,
    error: null,
    is_removed: false,
  })
  expect(browser.read(service.received.at(-1)?.body ?? Buffer.alloc(0))).toMatchObject({
    title: 'This is a test',
  })
  for (const status of [404, 410]) {
    const other = await subscribe()
    service.status = status
    expect(await testIt(other.id)).toMatchObject({ is_delivered: false, is_removed: true })
    service.status = 201
    expect((await user.account('POST', `${path}/${other.id}/test`, {})).status).toBe(404)
  }
  expect((await user.account('DELETE', `${path}/${browser.id}`)).status).toBe(200)
  expect((await user.account('DELETE', `${path}/${browser.id}`)).status).toBe(404)
})

test('five refusals in a row remove a browser that never got a message, and no other', async () => {
  const [fresh, proven, slow] = [await subscribe(), await subscribe(), await subscribe()]
  await testIt(proven.id)
  const statuses = { [fresh.id]: 403, [proven.id]: 403, [slow.id]: 500 }
  const removed: Record<string, number> = {}
  for (const { id } of [fresh, proven, slow])
    for (let round = 1; round <= 6 && !removed[id]; round++) {
      service.status = statuses[id] ?? 0
      const { is_removed } = (await testIt(id)) as unknown as { is_removed: boolean }
      if (is_removed) removed[id] = round
    }
  service.status = 201
  expect(removed).toEqual({ [fresh.id]: 5 })
  const left = (await list()).data.map(({ id }) => id)
  expect(left.sort()).toEqual([proven.id, slow.id].sort())
  for (const id of left) await user.account('DELETE', `${path}/${id}`)
})

test('a user has ten browsers at most, and the same one again is no other', async () => {
  const browsers = []
  for (let count = 0; count < 10; count++) browsers.push(await subscribe())
  expect(new Set(browsers.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await subscribe()).status).toBe(400)
  const again = { ...browsers[0]?.subscription, name: 'The same' }
  expect((await user.account('POST', path, again)).status).toBe(200)
  const { data } = await list()
  expect(data).toHaveLength(10)
  for (const { id } of data) await user.account('DELETE', `${path}/${id}`)
})

test.for([
  ['endpoint', { endpoint: 'no url' }],
  ['endpoint', { endpoint: 'ftp://push.example/x' }],
  ['endpoint', { endpoint: 'https://user:pass@push.example/x' }],
  ['endpoint', { endpoint: 'http://push.example/x' }],
  ['endpoint', { endpoint: 'https://10.0.0.1/x' }],
  ['keys.p256dh', { keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'A'.repeat(22) } }],
  ['keys.p256dh', { keys: { p256dh: 'AAAA', auth: 'A'.repeat(22) } }],
  ['keys.auth', { keys: { auth: 'AAAA' } }],
  ['name', { name: '' }],
] as const)('a wrong %s is refused by name, and its value is not repeated: %j', async ([field, change]) => {
  const { subscription } = service.browser()
  const keys = { ...subscription.keys, ...('keys' in change ? change.keys : {}) }
  const { status, body } = await user.account<{ args: { field: string }; message: string }>('POST', path, {
    ...subscription,
    name: 'Chrome',
    ...change,
    keys,
  })
  expect([status, body.args.field]).toEqual([400, field])
  for (const secret of [subscription.endpoint, 'push.example', keys.p256dh, keys.auth])
    expect(body.message).not.toContain(secret)
  expect((await list()).data).toEqual([])
})

test('a new password ends what is sent to browsers: one may be a stranger’s', async () => {
  await subscribe()
  const changed = await signUp(w, 'careful@example.com', 'Carla')
  const { subscription } = service.browser()
  await changed.account('POST', path, { ...subscription, name: 'Chrome' })
  expect(await changePassword(changed, password, 'another correct horse battery')).toBe(303)
  expect((await changed.account<Listed>('GET', path)).body.data).toEqual([])
  const { data } = await list()
  expect(data).toHaveLength(1)
  for (const { id } of data) await user.account('DELETE', `${path}/${id}`)
})

test('another user sees and removes none of them', async () => {
  const mine = await subscribe()
  const other = await signUp(w, 'other@example.com', 'Otto')
  expect((await other.account<Listed>('GET', path)).body.data).toEqual([])
  for (const [method, suffix] of [
    ['DELETE', ''],
    ['POST', '/test'],
  ] as const)
    expect((await other.account(method, `${path}/${mine.id}${suffix}`, {})).status).toBe(404)
  await user.account('DELETE', `${path}/${mine.id}`)
})

test('no endpoint, key or token is in the log', () => {
  const text = logged.join('')
  expect(text.length).toBeGreaterThan(0)
  for (const { headers } of service.received) expect(text).not.toContain(String(headers.authorization))
  expect(text).not.toMatch(/\/push\/[\w-]{22}|ghn_|p256dh/)
})

test.for([
  ['Gatehouse <gatehouse@localhost>', 'http://localhost:8080', undefined],
  ['doors@house.local', 'https://house.local', undefined],
  ['doors@house.invalid', 'https://127.0.0.1', undefined],
  ['doors@house.invalid', 'http://doors.example', undefined],
  ['doors@[127.0.0.1]', 'https://[::1]:8443', undefined],
  ['Doors <doors@house.example>', 'http://localhost:8080', 'mailto:doors@house.example'],
  ['doors@localhost', 'https://doors.example/', 'https://doors.example'],
] as const)('from %s at %s, push says it is %s', ([mail_from, public_url, expected]) => {
  const said = vapidSubject({ mail_from, public_url })
  if (expected) expect(said).toEqual({ subject: expected })
  else expect(said).toHaveProperty('off_reason', expect.stringContaining('GATEHOUSE_MAIL_FROM'))
})

test('where push is off, the page is told why, and nothing is added or sent', async () => {
  await using off = await world({ is_reachable: true })
  const visitor = await signUp(off, 'owner@example.com')
  const { body } = await visitor.account<Listed>('GET', path)
  expect(body).toMatchObject({ public_key: null, off_reason: expect.stringContaining('gatehouse@localhost') })
  const added = await visitor.account<{ message: string }>('POST', path, {
    ...service.browser().subscription,
    name: 'Chrome',
  })
  expect([added.status, added.body.message]).toEqual([400, expect.stringContaining('push is off')])
})

test('settings have sensible beginnings, change in parts, and refuse what makes no sense', async () => {
  const settings = '/account/notification_settings'
  const usual = {
    channels: { info: [], warning: ['push'], critical: ['push', 'email'] },
    quiet: null,
    language: 'en',
  }
  expect((await user.account('GET', settings)).body).toEqual(usual)
  const quiet = { from: '22:00', to: '07:00', zone: 'Europe/Madrid' }
  await user.account('PATCH', settings, { channels: { info: ['email'] }, quiet })
  const { body } = await user.account('PATCH', settings, { language: 'de' })
  expect(body).toEqual({ channels: { ...usual.channels, info: ['email'] }, quiet, language: 'de' })
  const wrong = [
    { channels: { info: ['sms'] } },
    { channels: { loud: ['push'] } },
    { quiet: { ...quiet, from: '24:00' } },
    { quiet: { ...quiet, zone: 'Mars/Olympus' } },
    { language: 'tlh' },
  ]
  for (const change of wrong) expect((await user.account('PATCH', settings, change)).status).toBe(400)
  expect((await user.account('GET', settings)).body).toEqual(body)
  expect((await user.account('PATCH', settings, { quiet: null, language: null })).body).toMatchObject({
    quiet: null,
    language: 'en',
  })
})
