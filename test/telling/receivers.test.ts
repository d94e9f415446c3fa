import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { receiver, type World, world } from '@gatehouse-access/testkit'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Channels } from '../../packages/server/src/channels/channels.ts'
import { sendHttp } from '../../packages/server/src/channels/http.ts'
import { sendNtfy } from '../../packages/server/src/channels/ntfy.ts'
import { forced, messageOf } from './alarms.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
let w: World

beforeAll(async () => {
  w = await world()
})
afterAll(() => w[Symbol.asyncDispose]())

test('ntfy gets topic, words, urgency and link, and the token in a header only', async () => {
  await using server = await receiver()
  const sender = await w.server.context.channels.sender()
  const target = { url: server.url, topic: 'doors', token: 'tk_secret' }
  const message = messageOf()
  expect(await sendNtfy(sender, target, message)).toMatchObject({ is_delivered: true, status_code: 200 })
  await sendNtfy(sender, { ...target, token: undefined }, messageOf({ reason: 'ended' }))
  const [opened, ended] = server.received
  expect(opened?.headers.authorization).toBe('Bearer tk_secret')
  expect(JSON.parse(String(opened?.body))).toEqual({
    topic: 'doors',
    title: 'Hotel <Miramar> & Sons: Door forced open, Front door, Madrid',
    message: 'Critical. Since 17 Nov 2026, 09:05',
    priority: 5,
    tags: ['rotating_light'],
    click: message.url,
  })
  expect(ended?.headers.authorization).toBeUndefined()
  expect(JSON.parse(String(ended?.body))).toMatchObject({ priority: 2, tags: ['white_check_mark'] })
})

test('a receiver of one’s own gets JSON that independent code verifies, with the same id each time', async () => {
  await using server = await receiver()
  const { channels } = w.server.context
  const needs = { sender: await channels.sender(), clock: { now: () => new Date().toISOString() } as never }
  await sendHttp(needs, { url: `${server.url}/alarms?key=1`, secret }, messageOf())
  await sendHttp(needs, { url: `${server.url}/alarms?key=1`, secret }, messageOf())
  const [first, second] = server.received
  expect(first?.path).toBe('/alarms?key=1')
  const headers = first?.headers as Record<string, string>
  expect(new Webhook(secret).verify(String(first?.body), headers)).toMatchObject({
    reason: 'opened',
    severity: 'critical',
    alarm_count: 1,
    alarms: [{ id: forced.id, type: 'door_forced', place: 'Front door, Madrid' }],
  })
  expect(() => new Webhook(secret).verify(`${first?.body} `, headers)).toThrow()
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
})

test('redirects are not followed, refusals are told apart, and answers are kept short', async () => {
  await using other = await receiver()
  await using server = await receiver(response => {
    response.writeHead(307, { location: other.url }).end('x'.repeat(1000))
  })
  const sender = await w.server.context.channels.sender()
  const send = () => sendNtfy(sender, { url: server.url, topic: 'doors' }, messageOf())
  const redirected = await send()
  expect(redirected).toMatchObject({ is_delivered: false, may_retry: false, error: 'redirected' })
  expect(redirected.answer).toHaveLength(200)
  expect(other.received).toEqual([])
  const outcomes = []
  for (const status of [401, 404, 429, 500, 503]) {
    server.respond = status
    outcomes.push((await send()).may_retry)
  }
  expect(outcomes).toEqual([false, false, true, true, true])
})

test('a private address is refused when the connection is made, and no secret is in the outcome', async () => {
  const config = { ...w.server.context.config, host: '0.0.0.0', public_url: 'https://gatehouse.example' }
  const resolve = async () => [{ address: '10.0.0.7', family: 4 }]
  await using channels = new Channels({ config, timers: w.timers, resolve })
  const sender = await channels.sender()
  for (const url of ['http://169.254.169.254/latest', 'http://innocent.example/secret-path']) {
    const outcome = await sendNtfy(sender, { url, topic: 'doors', token: 'tk_secret' }, messageOf())
    expect(outcome).toMatchObject({ is_delivered: false, may_retry: false, error: 'address_refused' })
    expect(JSON.stringify(outcome)).not.toMatch(/tk_secret|secret-path|latest/)
  }
})

test('a receiver that never answers is given up after 10 seconds', async () => {
  const held = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(held, 'listening')
  const { port } = held.address() as AddressInfo
  const sender = await w.server.context.channels.sender()
  const sending = sendNtfy(sender, { url: `http://127.0.0.1:${port}`, topic: 'doors' }, messageOf())
  let outcome: Awaited<typeof sending> | undefined
  sending.then(ended => {
    outcome = ended
  })
  await expect
    .poll(() => {
      w.timers.advance(1000)
      return outcome
    })
    .toMatchObject({ is_delivered: false, may_retry: true, error: 'timeout' })
  held.close()
})
