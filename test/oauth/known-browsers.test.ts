import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countFailure } from '../../packages/server/src/services/accounts/lock-out.ts'
import { changePassword, password, signUp } from './people.ts'
import { Visitor } from './visitor.ts'

let w: World
let url: string
let host = 0

beforeAll(async () => {
  w = await world({ is_reachable: true, trusted_proxies: ['127.0.0.1'] })
  url = w.server.context.config.public_url
})
afterAll(() => w[Symbol.asyncDispose]())

async function signIn(visitor: Visitor, email: string, secret: string, address: string): Promise<Visitor> {
  await visitor.get('/sign-in')
  const form_token = /name="form_token" value="([^"]+)"/.exec(visitor.text)?.[1] ?? ''
  const fields = { form_token, return_to: '/account', email, password: secret }
  return visitor.post('/sign-in', fields, { 'x-forwarded-for': address })
}

/**
 * Counts one wrong password a minute, each from a different address, until every sign-in to the account is
 * slowed.
 */
async function besiege(email: string): Promise<void> {
  for (let times = 0; times < 40; times++) {
    w.clock.advance(60)
    await countFailure(w.server.context, email, { ip_address: `203.0.${host >> 8}.${host++ & 255}` })
  }
}

test('a browser that signed in before is not slowed by what strangers do', async () => {
  const owner = await signUp(w, 'owner@example.com')
  await besiege('owner@example.com')
  expect((await signIn(new Visitor(url), 'owner@example.com', password, '198.51.100.7')).status).toBe(429)
  expect((await signIn(owner, 'owner@example.com', password, '198.51.100.8')).status).toBe(303)
  expect((await signIn(owner, 'OWNER@example.com', password, '198.51.100.9')).status).toBe(303)
})

test('its own budget ends too, and a mark is worth nothing for another account or when it is made up', async () => {
  const thief = await signUp(w, 'thief@example.com')
  const victim = await signUp(w, 'victim@example.com')
  const statuses = []
  for (let times = 0; times < 12; times++)
    statuses.push((await signIn(thief, 'thief@example.com', 'a wrong password', `192.0.2.${times}`)).status)
  expect(statuses.slice(-2)).toEqual([429, 429])
  w.clock.advance(3600)
  await besiege('victim@example.com')
  const marks = (visitor: Visitor) => [...visitor.cookies].filter(([name]) => name.includes('known'))
  const [[name = '', mark = ''] = []] = marks(victim)
  const [[, foreign = ''] = []] = marks(thief)
  for (const value of [foreign, mark.replace(/.{10}$/, 'A'.repeat(10)), 'x']) {
    thief.cookies.set(name, value)
    expect((await signIn(thief, 'victim@example.com', password, '198.51.100.7')).status).toBe(429)
  }
})

test('a mailed link lets the owner past in a new browser; it signs nobody in and lasts two hours', async () => {
  const email = 'mailed@example.com'
  await signUp(w, email)
  await besiege(email)
  const fresh = await signIn(new Visitor(url), email, password, '198.51.100.7')
  expect(fresh.status).toBe(429)
  await fresh.submit('/sign-in/link', {})
  expect([fresh.status, fresh.text.includes(email)]).toEqual([200, true])
  const mail = w.server.context.mailer.outbox?.find(({ to, kind }) => to === email && kind === 'link')
  const link = new URL(/http\S+/.exec(mail?.text ?? '')?.[0] ?? '')
  const other = await new Visitor(url).get(`${link.pathname}${link.search.replace('mailed', 'other')}`)
  expect(other.status).toBe(400)
  await fresh.get(link.pathname + link.search)
  await fresh.follow()
  expect(fresh.text).toContain('You can sign in now')
  expect((await fresh.account('GET', '/account/organizations')).status).toBe(401)
  expect((await signIn(fresh, email, password, '198.51.100.7')).status).toBe(303)
  w.clock.advance(2 * 3600 + 1)
  expect((await new Visitor(url).get(link.pathname + link.search)).status).toBe(400)
})

test('who asks for links learns nothing of accounts and cannot flood them', async () => {
  const texts = []
  for (const email of ['owner@example.com', 'nobody@example.com']) {
    const visitor = await new Visitor(url).get('/sign-in')
    const form_token = /name="form_token" value="([^"]+)"/.exec(visitor.text)?.[1] ?? ''
    for (let times = 0; times < 7; times++) await visitor.post('/sign-in/link', { form_token, email })
    texts.push([visitor.status, visitor.text.replaceAll(email, '…')])
  }
  expect(texts[0]).toEqual(texts[1])
  const sent = w.server.context.mailer.outbox?.filter(({ kind }) => kind === 'link') ?? []
  expect(sent.map(({ to }) => to).filter(to => to !== 'mailed@example.com')).toEqual(
    Array(5).fill('owner@example.com'),
  )
})

test('strangers do not keep a signed-in user from changing the password', async () => {
  const email = 'inside@example.com'
  const owner = await signUp(w, email)
  await besiege(email)
  expect(await changePassword(owner, password, 'another long phrase entirely')).toBe(303)
})
