import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOrganization } from '@gatehouse-access/server'
import { isSoak, soak, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { totpAt } from '../../packages/server/src/services/accounts/totp.ts'
import {
  authorize,
  callback,
  changePassword,
  codeOf,
  exchange,
  found,
  password,
  refresh,
  register,
  signUp,
  statusOf,
} from './people.ts'
import { challengeOf, Visitor } from './visitor.ts'

let w: World
let url: string
let serial = 0
let email: string
let user: Visitor

beforeAll(async () => {
  w = await world({ is_reachable: true, trusted_proxies: ['127.0.0.1'] })
  url = w.server.context.config.public_url
})
afterAll(() => w[Symbol.asyncDispose]())

beforeEach(async () => {
  email = `victim-${++serial}@example.com`
  user = await signUp(w, email)
})

function mailedCode(to: string, within: World = w): string {
  const mail = within.server.context.mailer.outbox?.find(sent => sent.to === to)
  return /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(mail?.text ?? '')?.[0] ?? ''
}

function codeNow(key: string, within: World = w): string {
  return totpAt(key, Math.floor(Date.parse(within.clock.now()) / 30_000))
}

async function keyShown(visitor: Visitor): Promise<string> {
  await visitor.get('/security/authenticator')
  return /<code>([A-Z2-7 ]+)<\/code>/.exec(visitor.text)?.[1]?.replaceAll(' ', '') ?? ''
}

/** Makes one attempt from its own address. */
async function signInFrom(address: string, secret: string): Promise<number> {
  const visitor = await new Visitor(url).get('/sign-in')
  const form_token = /name="form_token" value="([^"]+)"/.exec(visitor.text)?.[1] ?? ''
  const fields = { form_token, return_to: '/account', email, password: secret }
  return (await visitor.post('/sign-in', fields, { 'x-forwarded-for': address })).status
}

test('a code confirms what its own browser asked for, never the sign-up of somebody else', async () => {
  const fresh = `fresh-${serial}@example.com`
  const [victim, attacker] = [new Visitor(url), new Visitor(url)]
  for (const [visitor, secret] of [
    [victim, password],
    [attacker, 'the password of the attacker'],
  ] as const) {
    await visitor.get('/sign-up')
    await visitor.submit('/sign-up', { name: 'Somebody', email: fresh, password: secret })
  }
  await victim.submit('/sign-up/code', { code: mailedCode(fresh) })
  expect(victim.status).toBe(400)
  expect((await new Visitor(url).signIn(fresh, 'the password of the attacker')).status).toBe(401)
  expect((await signUp(w, fresh)).headers.get('location')).toBe('/')
  expect((await new Visitor(url).signIn(fresh, password)).status).toBe(303)
})

test('nobody else uses up the tries of a code', async () => {
  await user.get('/reset-password')
  await user.submit('/reset-password', { email })
  const attacker = await new Visitor(url).get('/sign-in')
  const form_token = /name="form_token" value="([^"]+)"/.exec(attacker.text)?.[1] ?? ''
  for (let attempt = 0; attempt < 6; attempt++)
    await attacker.post('/reset-password/code', { form_token, email, code: 'AAAA-AAAA', password })
  await user.submit('/reset-password/code', {
    code: mailedCode(email),
    password: 'another long password 77',
  })
  expect(user.headers.get('location')).toBe('/sign-in?done=password')
})

test('a code for the old address is worth nothing once the account has another', async () => {
  const thief = await new Visitor(url).get('/reset-password')
  await thief.submit('/reset-password', { email })
  const code = mailedCode(email)
  const fresh = `moved-${serial}@example.com`
  await user.get('/security/email')
  await user.submit('/security/email', { email: fresh })
  await user.submit('/security/email/code', { code: mailedCode(fresh) })
  await thief.submit('/reset-password/code', { code, password: 'the password of the thief' })
  expect(thief.status).toBe(400)
  expect((await new Visitor(url).signIn(fresh, password)).status).toBe(303)
})

test('the key of an authenticator app is shown to one session alone', async () => {
  const attacker = await new Visitor(url).signIn(email, password)
  const noted = await keyShown(attacker)
  const own = await keyShown(user)
  expect(own).not.toBe(noted)
  expect(await keyShown(user)).toBe(own)
  expect((await attacker.submit('/security/authenticator', { code: codeNow(own) })).status).toBe(400)
  const code = codeNow(await keyShown(user))
  expect((await user.submit('/security/authenticator', { code })).status).toBe(200)
})

test('who has a passkey does not get around it by a reset: the password alone changes no factor', async () => {
  await w.server.context.db.query(
    `INSERT INTO passkeys (id, credential_id, user_id, name, public_key, counter, transports, created_at)
     SELECT 'pk_' || id, 'credential-' || id, id, 'Passkey', '\\x00', 0, '{}', $2 FROM users WHERE email_key = $1`,
    [email, w.clock.now()],
  )
  w.clock.advance(1)
  expect((await user.get('/security/authenticator')).status).toBe(200)
  const thief = await new Visitor(url).get('/reset-password')
  await thief.submit('/reset-password', { email })
  await thief.submit('/reset-password/code', {
    code: mailedCode(email),
    password: 'the password of the thief',
  })
  await thief.signIn(email, 'the password of the thief')
  expect(thief.status).toBe(303)
  const refused = await thief.account<{ args: object }>('DELETE', '/account/user')
  expect([refused.status, refused.body.args]).toEqual([403, { reason: 'second_factor_needed' }])
  for (const page of ['email', 'passkeys', 'delete', 'authenticator']) {
    await thief.get(`/security/${page}`)
    expect(thief.headers.get('location')).toBe(`/sign-in?again=factor&return_to=%2Fsecurity%2F${page}`)
  }
  await thief.follow()
  expect(thief.text).toContain('Sign in with your passkey')
})

test('the present password cannot be guessed in a session that was stolen', async () => {
  const statuses = []
  for (let attempt = 0; attempt < 8; attempt++)
    statuses.push(await changePassword(user, `a wrong password ${attempt}`, 'another long password 77'))
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429, 429])
  w.clock.advance(60)
  expect(await changePassword(user, password, 'another long password 77')).toBe(303)
})

test('the password is changed by the present one, on a page too', async () => {
  const second = await new Visitor(url).signIn(email, password)
  await user.get('/security/password')
  await user.submit('/security/password', {
    current_password: 'a wrong one',
    password: 'another long password 77',
  })
  expect([user.status, user.text.includes('The current password is wrong.')]).toEqual([403, true])
  await user.submit('/security/password', { current_password: password, password: 'sunshine' })
  expect([user.status, user.text.includes('at least 12')]).toEqual([400, true])
  await user.submit('/security/password', {
    current_password: password,
    password: 'another long password 77',
  })
  expect(user.headers.get('location')).toBe('/security?done=password')
  expect((await second.account('GET', '/account/session')).status).toBe(401)
  expect((await user.account('GET', '/account/session')).status).toBe(200)
})

test('who is no longer invited does not come in by a code of before', async () => {
  await using closed = await world({ is_reachable: true, signup: 'invited' })
  const { context } = closed.server
  const organization_id = await createOrganization(context, context.db, 'Closed')
  await context.db.query(
    `INSERT INTO invitations (id, organization_id, email, email_key, role, created_at, expires_at)
     VALUES ('inv_1', $1, 'late@example.com', 'late@example.com', 'viewer', $2, $3)`,
    [organization_id, closed.clock.now(), '2999-01-01T00:00:00Z'],
  )
  const visitor = await new Visitor(context.config.public_url).get('/sign-up')
  await visitor.submit('/sign-up', { name: 'Late', email: 'late@example.com', password })
  await context.db.query('DELETE FROM invitations')
  await visitor.submit('/sign-up/code', { code: mailedCode('late@example.com', closed) })
  expect(visitor.status).toBe(400)
})

soak('attempts of the same moment from everywhere are not looked at all at once', async () => {
  const addresses = Array.from({ length: 60 }, (_, host) => `198.51.100.${host + 1}`)
  const statuses = await Promise.all(addresses.map(address => signInFrom(address, 'a wrong password')))
  expect(statuses.filter(status => status === 401)).toHaveLength(20)
  expect(statuses.filter(status => status === 429)).toHaveLength(40)
})

soak('many who sign in rightly from one address do not slow each other down', async () => {
  const statuses = new Set()
  for (let person = 0; person < (isSoak ? 60 : 20); person++)
    statuses.add(await signInFrom('203.0.113.200', password))
  expect([...statuses]).toEqual([303])
})

test('addresses of one IPv6 network count as one', async () => {
  const statuses = []
  for (let host = 1; host <= 7; host++)
    statuses.push(await signInFrom(`2001:db8:${serial}:1::${host}`, 'a wrong password'))
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
  expect(await signInFrom(`2001:db8:${serial}:2::1`, 'a wrong password')).toBe(401)
})

test('a half sign-in ends with the password it began with', async () => {
  const key = await keyShown(user)
  await user.submit('/security/authenticator', { code: codeNow(key) })
  w.clock.advance(60)
  const thief = await new Visitor(url).signIn(email, password)
  await thief.follow()
  await changePassword(user, password, 'another long password 77')
  await thief.submit('/sign-in/code', { code: codeNow(key) })
  expect(thief.status).toBe(401)
})

test('sign-ins under way when the password changes leave no session behind', async () => {
  let is_changed = false
  const tryOn = async (address: string) => {
    while (!is_changed) await signInFrom(address, password)
  }
  const thieves = [1, 2, 3, 4].map(host => tryOn(`203.0.113.${host}`))
  expect(await changePassword(user, password, 'another long password 77')).toBe(303)
  is_changed = true
  await Promise.all(thieves)
  const left = await w.server.context.db.query(
    'SELECT s.id FROM user_sessions s JOIN users u ON u.id = s.user_id WHERE u.email_key = $1',
    [email],
  )
  expect(left).toHaveLength(1)
})

test('the outbox is not shown to a page that leads its own name here', async () => {
  expect((await user.get('/outbox')).status).toBe(200)
  expect(user.text).toContain(`<time datetime="${w.clock.now().slice(0, 10)}`)
  const status = await new Promise(resolve =>
    request(`${url}/outbox`, { headers: { host: 'rebound.example:8080' } }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    }).end(),
  )
  expect(status).toBe(404)
})

test('stolen passwords are refused in pairs, with anything around them, and from a list of the operator', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-list-'))
  writeFileSync(join(folder, 'list'), 'Blue-Rhino-On-Stilts\r\n\r\n')
  await using listed = await world({ is_reachable: true, password_list: join(folder, 'list') })
  const visitor = await new Visitor(listed.server.context.config.public_url).get('/sign-up')
  for (const secret of ['sunshinedragon', '2024!sunshine!2024', 'monkeymonkey', 'blue-rhino-on-stilts']) {
    await visitor.submit('/sign-up', { name: 'Grace', email: 'grace@example.com', password: secret })
    expect([secret, visitor.text.includes('easy to guess')]).toEqual([secret, true])
  }
  await visitor.submit('/sign-up', { name: 'Grace', email: 'grace@example.com', password })
  expect(visitor.status).toBe(200)
  rmSync(folder, { recursive: true })
})

test('strict: PKCE from everybody, codes of ten minutes, sign-in before anything, one code of an app', async () => {
  await using strict = await world({ is_reachable: true, hardening: 'strict' })
  const home = strict.server.context.config.public_url
  const owner = await signUp(strict, 'owner@example.com')
  const denied = await owner.account<{ args: object }>('POST', '/account/applications', {
    name: 'X',
    redirect_uris: [callback],
  })
  expect([denied.status, denied.body.args]).toEqual([403, { reason: 'second_factor_required' }])
  const key = await keyShown(owner)
  await owner.submit('/security/authenticator', { code: codeNow(key, strict) })
  const enter = async (code: string) => {
    await owner.signIn('owner@example.com', password)
    await owner.follow()
    return (await owner.submit('/sign-in/code', { code })).status
  }
  strict.clock.advance(60)
  const shown = codeNow(key, strict)
  strict.clock.advance(30)
  expect(await enter(shown)).toBe(401)
  expect(await enter(codeNow(key, strict))).toBe(303)

  await found(owner)
  const client = await register(owner)
  expect((await authorize(owner, client)).searchParams.get('error')).toBe('invalid_request')
  const verifier = 'v'.repeat(43)
  const more = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
  const code = codeOf(await authorize(owner, { ...client, more }))
  strict.clock.advance(601)
  expect((await exchange(home, client, code, { code_verifier: verifier })).status).toBe(400)
  const again = codeOf(await authorize(owner, { ...client, more }))
  strict.clock.advance(599)
  const tokens = await exchange(home, client, again, { code_verifier: verifier })
  expect(tokens.status).toBe(200)
  const refresh_token = tokens.body.refresh_token ?? ''
  const twice = await Promise.all([1, 2].map(() => refresh(home, client, refresh_token)))
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 400])
  const successor = twice.find(({ status }) => status === 200)?.body
  expect((await refresh(home, client, successor?.refresh_token ?? '')).status).toBe(400)
  expect(await statusOf(home, successor?.access_token ?? '')).toBe(401)

  const wish = {
    client_id: client.client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'offline',
  }
  const stranger = new Visitor(home)
  await stranger.get(`/oauth2/auth?${new URLSearchParams({ ...wish, state: 's t*' })}`)
  expect(stranger.headers.get('location')).toMatch(/^\/sign-in\?return_to=%2Foauth2%2Fauth/)
  await stranger.follow()
  await stranger.submit('/sign-in', { email: 'owner@example.com', password })
  await stranger.follow()
  strict.clock.advance(60)
  await stranger.submit('/sign-in/code', { code: codeNow(key, strict) })
  const end = new URL((await stranger.follow()) ?? '')
  expect(end.origin + end.pathname).toBe(callback)
  expect([end.searchParams.get('error'), end.searchParams.get('state')]).toEqual(['invalid_request', 's t*'])
})
