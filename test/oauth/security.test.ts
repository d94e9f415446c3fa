import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { totpAt } from '../../packages/server/src/services/accounts/totp.ts'
import { authorize, found, password, register, signUp } from './people.ts'
import { Visitor } from './visitor.ts'

let w: World
let serial = 0
let email: string
let user: Visitor

beforeAll(async () => {
  w = await world({ is_reachable: true })
})
afterAll(() => w[Symbol.asyncDispose]())

beforeEach(async () => {
  email = `person-${++serial}@example.com`
  user = await signUp(w, email)
})

function codeNow(key: string): string {
  return totpAt(key, Math.floor(Date.parse(w.clock.now()) / 30_000))
}

function lastMail(to: string): string {
  return w.server.context.mailer.outbox?.find(mail => mail.to === to)?.text ?? ''
}

function mailedCode(to: string): string {
  return /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(lastMail(to))?.[0] ?? ''
}

/** Sets up an authenticator app through the pages. Returns the key and the recovery codes. */
async function setUpApp(visitor: Visitor): Promise<{ key: string; codes: string[] }> {
  await visitor.get('/security/authenticator')
  const key = /<code>([A-Z2-7 ]+)<\/code>/.exec(visitor.text)?.[1]?.replaceAll(' ', '') ?? ''
  await visitor.submit('/security/authenticator', { code: codeNow(key) })
  w.clock.advance(60)
  return { key, codes: recoveryCodes(visitor) }
}

function recoveryCodes({ text }: Visitor): string[] {
  return [...text.matchAll(/<li><code>([\w-]+)<\/code>/g)].map(match => match[1] ?? '')
}

async function enter(visitor: Visitor, code: string): Promise<number> {
  await visitor.signIn(email, password)
  await visitor.follow()
  await visitor.submit('/sign-in/code', { code })
  return visitor.status
}

async function methodOf(visitor: Visitor): Promise<string> {
  return (await visitor.account<{ method: string }>('GET', '/account/session')).body.method
}

test('with an authenticator app the password alone opens nothing; a code opens a session, once', async () => {
  const { key, codes } = await setUpApp(user)
  expect(codes).toHaveLength(10)
  const visitor = new Visitor(user.url)
  await visitor.signIn(email, password)
  expect(visitor.headers.get('location')).toBe('/sign-in/code?return_to=%2Faccount')
  expect((await visitor.account('GET', '/account/session')).status).toBe(401)
  await visitor.follow()
  const code = codeNow(key)
  await visitor.submit('/sign-in/code', { code: String((Number(code) + 1) % 1_000_000).padStart(6, '0') })
  expect(visitor.status).toBe(401)
  await visitor.submit('/sign-in/code', { code })
  expect(visitor.status).toBe(303)
  expect(await methodOf(visitor)).toBe('totp')
  expect(await enter(new Visitor(user.url), code)).toBe(401)
})

test('a recovery code signs in once, and a password reset does not go around the app', async () => {
  const { codes } = await setUpApp(user)
  const visitor = new Visitor(user.url)
  expect(await enter(visitor, (codes[0] ?? '').toLowerCase())).toBe(303)
  expect(await methodOf(visitor)).toBe('recovery_code')
  expect(await enter(new Visitor(user.url), codes[0] ?? '')).toBe(401)
  await visitor.get('/reset-password')
  await visitor.submit('/reset-password', { email })
  await visitor.submit('/reset-password/code', {
    code: mailedCode(email),
    password: 'another long password 77',
  })
  await visitor.signIn(email, 'another long password 77')
  expect(visitor.headers.get('location')).toContain('/sign-in/code')
})

test('recovery codes are named wherever a second factor is asked for, and the key is a link on the same phone', async () => {
  await user.get('/security/authenticator')
  const key = /<code>([A-Z2-7 ]+)<\/code>/.exec(user.text)?.[1]?.replaceAll(' ', '') ?? 'no key'
  expect(user.text).toMatch(new RegExp(`<a href="otpauth://totp/[^"]*secret=${key}`))
  expect(user.text).toContain(`data-copies="${key}"`)
  await setUpApp(user)
  const visitor = await new Visitor(user.url).signIn(email, password)
  await visitor.follow()
  expect(visitor.text).toContain('one of your recovery codes')
  await visitor.get('/sign-in?again=factor')
  expect(visitor.text).toContain('you can enter a recovery code')
})

test('the page that asks for the code of a reset leads back to sign-in, and to another address', async () => {
  await user.get('/reset-password')
  await user.submit('/reset-password', { email })
  expect([...user.text.matchAll(/<li><a href="(.*?)">/g)].map(([, way]) => way)).toEqual([
    '/reset-password',
    '/sign-in',
  ])
})

test('codes cannot be guessed: five a step, and the account slows down', async () => {
  const { key } = await setUpApp(user)
  const visitor = new Visitor(user.url)
  const wrong = codeNow(key) === '000000' ? '000001' : '000000'
  await visitor.signIn(email, password)
  await visitor.follow()
  const statuses = []
  for (let attempt = 0; attempt < 6; attempt++) {
    await visitor.submit('/sign-in/code', { code: wrong })
    statuses.push(visitor.status)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401])
  await visitor.submit('/sign-in/code', { code: codeNow(key) })
  expect(visitor.status).toBe(401)
  await visitor.signIn(email, password)
  await visitor.follow()
  await visitor.submit('/sign-in/code', { code: codeNow(key) })
  expect(visitor.status).toBe(429)
})

test('setting up, turning off and new recovery codes end other sessions, and the owner is told', async () => {
  const second = await new Visitor(user.url).signIn(email, password)
  await setUpApp(user)
  expect((await second.account('GET', '/account/session')).status).toBe(401)
  expect(lastMail(email)).toContain('authenticator app')
  await user.get('/security/authenticator')
  await user.submit('/security/recovery-codes', {})
  expect(recoveryCodes(user)).toHaveLength(10)
  await user.get('/security/authenticator')
  expect(user.text).toContain('10')
  await user.submit('/security/authenticator/remove', {})
  expect(user.headers.get('location')).toBe('/security?done=authenticator')
  await user.signIn(email, password)
  expect(user.headers.get('location')).toBe('/account')
})

test('the key and the recovery codes are not in the database', async () => {
  const { key, codes } = await setUpApp(user)
  const rows = await w.server.context.db.query<{ text: string }>(
    `SELECT to_jsonb(t)::text AS text FROM totp_keys t UNION ALL SELECT to_jsonb(r)::text FROM recovery_codes r`,
  )
  const dump = rows.map(({ text }) => text).join()
  expect(rows.length).toBeGreaterThan(10)
  expect(dump).not.toContain(key)
  expect(dump).not.toContain(Buffer.from(key).toString('hex'))
  expect(dump).not.toContain(Buffer.from((codes[0] ?? '').replaceAll('-', '')).toString('hex'))
})

test('an organization can ask for a second factor, on the API, the console and in the dance', async () => {
  const organization_id = await found(user)
  const path = `/account/organizations/${organization_id}`
  const weak = await user.account<{ args: object }>('PATCH', path, { requires_second_factor: true })
  expect([weak.status, weak.body.args]).toEqual([403, { reason: 'second_factor_required' }])
  const { key } = await setUpApp(user)
  await enter(user, codeNow(key))
  expect((await user.account('PATCH', path, { requires_second_factor: true })).status).toBe(200)
  const client = await register(user)
  expect((await authorize(user, { ...client })).searchParams.get('code')).not.toBeNull()

  await w.server.context.db.query(`UPDATE user_sessions SET method = 'password' WHERE method = 'totp'`)
  w.server.context.db.afterCommit('rights_changed')
  const refused = await user.account<{ args: object }>('GET', `${path}/users`)
  expect([refused.status, refused.body.args]).toEqual([403, { reason: 'second_factor_required' }])
  const { csrf_token } = (await user.account<{ csrf_token: string }>('GET', '/account/session')).body
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'x-csrf-token': csrf_token, 'x-organization-id': organization_id }
  const answer = await fetch(`${user.url}/v2/members`, { headers })
  expect([answer.status, ((await answer.json()) as { args: object }).args]).toEqual([
    403,
    { reason: 'second_factor_required' },
  ])
  await user.get(
    `/oauth2/auth?${new URLSearchParams({ ...client, response_type: 'code', scope: 'full_read_only', redirect_uri: 'https://client.example/callback' })}`,
  )
  await user.follow()
  expect(user.text).toContain('requires signing in with a passkey or an authenticator app')
  expect(user.text).not.toContain('value="allow"')
})

test('the operator can ask for a second factor everywhere', async () => {
  await using strict = await world({ is_reachable: true, second_factor: 'required' })
  const person = await signUp(strict, 'strict@example.com')
  const organization_id = await found(person)
  const refused = await person.account<{ args: object }>(
    'GET',
    `/account/organizations/${organization_id}/users`,
  )
  expect([refused.status, refused.body.args]).toEqual([403, { reason: 'second_factor_required' }])
})

test('an administrator signs a user out of the organization, and only there', async () => {
  const organization_id = await found(user)
  const other = await signUp(w, `other-${serial}@example.com`)
  const own_id = await found(other, 'Elsewhere')
  await user.account('POST', `/account/organizations/${organization_id}/invitations`, {
    email: `other-${serial}@example.com`,
    role: 'administrator',
  })
  const { body } = await other.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  await other.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
  const { id } = (await other.account<{ user: { id: string } }>('GET', '/account/session')).body.user
  const users = `/account/organizations/${organization_id}/users`
  expect((await other.account('GET', users)).status).toBe(200)
  expect((await user.account('POST', `${users}/${id}/sign_out`)).status).toBe(200)
  const refused = await other.account<{ args: object }>('GET', users)
  expect([refused.status, refused.body.args]).toEqual([403, { reason: 'sign_in_again' }])
  expect((await other.account('GET', `/account/organizations/${own_id}/users`)).status).toBe(200)
  w.clock.advance(1)
  await other.signIn(`other-${serial}@example.com`, password)
  expect((await other.account('GET', users)).status).toBe(200)
  const { id: owner_id } = (await user.account<{ user: { id: string } }>('GET', '/account/session')).body.user
  expect((await other.account('POST', `${users}/${owner_id}/sign_out`)).status).toBe(403)
})

test('an address is changed by a code sent to the new one; the old one is told and other sessions end', async () => {
  const second = await new Visitor(user.url).signIn(email, password)
  const fresh = `fresh-${serial}@example.com`
  await user.get('/security/email')
  await user.submit('/security/email', { email: fresh })
  expect(user.text).toContain('<a href="/security/email">Use a different email</a>')
  await user.submit('/security/email/code', { code: 'AAAA-AAAA' })
  expect(user.status).toBe(400)
  await user.submit('/security/email/code', { code: mailedCode(fresh) })
  expect(user.headers.get('location')).toBe('/security?done=email')
  expect(lastMail(email)).toContain(fresh)
  expect((await second.account('GET', '/account/session')).status).toBe(401)
  await new Visitor(user.url).signIn(email, password).then(old => expect(old.status).toBe(401))
  await new Visitor(user.url).signIn(fresh, password).then(now => expect(now.status).toBe(303))
})

test('an address that has an account gets a notice and the same answer, and a code serves its own user only', async () => {
  const other = await signUp(w, `taken-${serial}@example.com`)
  const ask = async (email: string) => {
    await user.get('/security/email')
    await user.submit('/security/email', { email })
    return [user.status, user.text.replaceAll(email, '')]
  }
  expect(await ask(`taken-${serial}@example.com`)).toEqual(await ask(`free-${serial}@example.com`))
  expect(lastMail(`taken-${serial}@example.com`)).toContain('already has an account')
  const code = mailedCode(`free-${serial}@example.com`)
  await other.get('/security/email')
  await other.submit('/security/email', { email: `else-${serial}@example.com` })
  await other.submit('/security/email/code', { email: `free-${serial}@example.com`, code })
  expect(other.status).toBe(400)
})

const changes = [
  'sessions',
  'sessions/ses_1/end',
  'email',
  'email/code',
  'passkeys/options',
  'passkeys',
  'passkeys/pk_1/remove',
  'authenticator',
  'authenticator/remove',
  'recovery-codes',
  'delete',
]

test('what changes the sign-in needs one of the last ten minutes', async () => {
  w.clock.advance(601)
  const late = await user.account<{ args: object }>('DELETE', '/account/user')
  expect([late.status, late.body.args]).toEqual([403, { reason: 'not_recent' }])
  await user.get('/security/password')
  const form_token = /name="form_token" value="([^"]+)"/.exec(user.text)?.[1] ?? ''
  for (const path of changes) {
    await user.post(`/security/${path}`, { form_token })
    const leads = user.headers.get('location')?.startsWith('/sign-in?again=1')
    expect([path, user.status === 403 || leads]).toEqual([path, true])
  }
  for (const page of ['email', 'passkeys', 'authenticator', 'delete']) {
    await user.get(`/security/${page}`)
    expect(user.headers.get('location')).toBe(`/sign-in?again=1&return_to=%2Fsecurity%2F${page}`)
  }
  await user.follow()
  expect(user.text).toContain(email)
  await user.submit('/sign-in', { email, password: 'not this one' })
  expect(user.text).toContain('<a href="/security">Sign-in and security</a>')
  expect(user.text).not.toContain('Create an account')
  await user.submit('/sign-in', { email, password })
  await user.follow()
  expect(user.address).toBe('/security/delete')
  expect(user.status).toBe(200)
})

test('the last owner cannot delete the account; then it is gone with all that signs in', async () => {
  const organization_id = await found(user, 'Only mine')
  await user.get('/security/delete')
  expect(user.text).toContain('Every organization needs an owner, and here you are the last one.')
  expect(user.text).toContain(`<li><a href="/o/${organization_id}">Only mine</a></li>`)
  const refused = await user.account<{ args: object }>('DELETE', '/account/user')
  expect([refused.status, refused.body.args]).toEqual([400, { reason: 'last_owner' }])
  await user.account('DELETE', `/account/organizations/${organization_id}`)
  const client = await register(user)
  expect((await user.account<{ args: object }>('DELETE', '/account/user')).body.args).toEqual({
    reason: 'has_applications',
  })
  await user.get('/security/delete')
  expect(user.text).toContain('An application cannot be without its developer. Delete yours first:')
  expect(user.text).toContain('<ul><li>Test client</li></ul>')
  await user.account('DELETE', `/account/applications/${client.client_id}`)
  await user.get('/security/delete')
  await user.submit('/security/delete', { email: 'someone@example.com' })
  expect(user.status).toBe(400)
  await user.submit('/security/delete', { email })
  expect(user.headers.get('location')).toBe('/sign-in?done=deleted')
  expect((await new Visitor(user.url).signIn(email, password)).status).toBe(401)
  const left = await w.server.context.db.query('SELECT 1 FROM users WHERE email_key = $1 OR name = $2', [
    email,
    email,
  ])
  expect(left).toEqual([])
  await signUp(w, email)
})

test('an application can insist on PKCE', async () => {
  await found(user)
  const { client_id } = await register(user, { requires_pkce: true })
  const end = await authorize(user, { client_id })
  expect(end.searchParams.get('error')).toBe('invalid_request')
})
