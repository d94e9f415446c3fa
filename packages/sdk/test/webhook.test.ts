import { createHmac, randomBytes } from 'node:crypto'
import { verifyWebhook } from '@gatehouse-access/sdk'
import { expect, test } from 'vitest'

const key = randomBytes(32)
const secret = `whsec_${key.toString('base64')}`
const body = '{"id":"evt_1","verb":"use","name":"Señal"}'
const now = 1_800_000_000_000
const timestamp = String(now / 1000)

const plain = { 'X-Service-Sig-SHA256': createHmac('sha256', secret).update(body).digest('hex') }
const standard = {
  'webhook-id': 'evt_1',
  'webhook-timestamp': timestamp,
  'webhook-signature': `v1,${createHmac('sha256', key).update(`evt_1.${timestamp}.${body}`).digest('base64')}`,
}
const headers = { ...plain, ...standard }

test('a delivery of the service gives its event', async () => {
  const event = JSON.parse(body)
  expect(await verifyWebhook({ body, headers, secret, now })).toEqual(event)
  expect(
    await verifyWebhook({ body: Buffer.from(body), headers: new Headers(headers), secret, now }),
  ).toEqual(event)
})

test('one of several standard signatures is enough', async () => {
  const several = { ...headers, 'webhook-signature': `v1,AAAA v2,x ${standard['webhook-signature']}` }
  await expect(verifyWebhook({ body, headers: several, secret, now })).resolves.toBeTruthy()
})

const wrong: [string, Parameters<typeof verifyWebhook>[0]][] = [
  ['another body', { body: `${body} `, headers, secret, now }],
  ['another secret', { body, headers, secret: `whsec_${randomBytes(32).toString('base64')}`, now }],
  ['no signature', { body, headers: {}, secret }],
  ['only the standard signature', { body, headers: standard, secret, now }],
  ['no signature with a time, so that it could be of any age', { body, headers: plain, secret, now }],
  [
    'a signature that is no hex',
    { body, headers: { ...headers, 'X-Service-Sig-SHA256': 'zz' }, secret, now },
  ],
  ['an empty signature', { body, headers: { ...headers, 'X-Service-Sig-SHA256': '' }, secret, now }],
  [
    'a standard signature of another key',
    { body, headers: { ...headers, 'webhook-signature': 'v1,AAAA' }, secret, now },
  ],
  ['an old delivery', { body, headers, secret, now: now + 301_000 }],
  ['a delivery from the future', { body, headers, secret, now: now - 301_000 }],
  ['a timestamp that is no number', { body, headers: { ...headers, 'webhook-timestamp': 'x' }, secret, now }],
  ['another id', { body, headers: { ...headers, 'webhook-id': 'evt_2' }, secret, now }],
]

test.each(wrong)('%s is refused', async (_name, input) => {
  await expect(verifyWebhook(input)).rejects.toMatchObject({ name: 'WebhookError' })
})
