import { cleanUp } from '@gatehouse-access/server'
import { soak, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { found, password, signUp } from './people.ts'
import { Visitor } from './visitor.ts'

let w: World
let url: string

beforeAll(async () => {
  w = await world({ is_reachable: true, operator_email: 'operator@example.com' })
  url = w.server.context.config.public_url
})
afterAll(() => w[Symbol.asyncDispose]())

function outbox(to: string) {
  return w.server.context.mailer.outbox?.filter(mail => mail.to === to) ?? []
}

function codeFor(to: string): string {
  return /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(outbox(to)[0]?.text ?? '')?.[0] ?? ''
}

const kinds = (to: string) => outbox(to).map(({ kind }) => kind)

function tokenOn({ text }: Visitor): string {
  return /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
}

async function trySignIn(email: string, secret: string): Promise<number> {
  return (await new Visitor(url).signIn(email, secret)).status
}

test('a person signs up by a code sent to the address, and is signed in', async () => {
  const visitor = await signUp(w, 'ada@example.com')
  expect(visitor.headers.get('location')).toBe('/')
  const { body } = await visitor.account<{ user: { email: string } }>('GET', '/account/session')
  expect(body.user.email).toBe('ada@example.com')
  expect(await trySignIn('ADA@example.com', password)).toBe(303)
})

test('nobody learns whether an address has an account', async () => {
  await signUp(w, 'known@example.com')
  const pages = []
  for (const email of ['known@example.com', 'stranger@example.com']) {
    const visitor = new Visitor(url)
    await visitor.get('/sign-up')
    await visitor.submit('/sign-up', { name: 'X', email, password })
    const [up] = [visitor.text]
    await visitor.submit('/sign-up/again', {})
    const again = visitor.text
    await visitor.get('/reset-password')
    await visitor.submit('/reset-password', { email })
    const reset = visitor.text
    await visitor.post('/reset-password', { form_token: tokenOn(visitor), email, again: '1' })
    const reset_again = visitor.text
    await visitor.signIn(email, 'not the right password')
    const strip = (text: string) => text.replaceAll(email, '…').replace(/value="[\w-]{43}"/g, '')
    pages.push([
      strip(up),
      strip(again),
      strip(reset),
      strip(reset_again),
      visitor.status,
      strip(visitor.text).replace(/form_token="[^"]+"/g, ''),
    ])
  }
  expect(pages[0]).toEqual(pages[1])
  expect(kinds('known@example.com')).toEqual(['reset', 'reset', 'known', 'known', 'sign_up'])
  expect(kinds('stranger@example.com')).toEqual(['sign_up', 'sign_up'])
})

test('weak passwords are refused with the reason', async () => {
  const visitor = await new Visitor(url).get('/sign-up')
  for (const [secret, reason] of [
    ['short', 'at least 12'],
    ['aaaaaaaaaaaaaaaa', 'easy to guess'],
    ['password1234567', 'easy to guess'],
    ['123456123456', 'easy to guess'],
    ['grace@example.com', 'easy to guess'],
    ['x'.repeat(300), 'at most 256'],
  ] as const) {
    await visitor.submit('/sign-up', { name: 'Grace', email: 'grace@example.com', password: secret })
    expect([secret.slice(0, 20), visitor.status, visitor.text.includes(reason)]).toEqual([
      secret.slice(0, 20),
      400,
      true,
    ])
  }
})

test('a code has five tries, ten minutes and one use', async () => {
  const email = 'codes@example.com'
  const visitor = await new Visitor(url).get('/sign-up')
  const ask = async () => {
    await visitor.get('/sign-up')
    await visitor.submit('/sign-up', { name: 'X', email, password })
    return codeFor(email)
  }
  const first = await ask()
  for (let tries = 0; tries < 5; tries++) {
    await visitor.submit('/sign-up/code', { code: '0000-0000' })
    expect(visitor.status).toBe(400)
  }
  expect((await visitor.submit('/sign-up/code', { code: first })).status).toBe(400)
  const second = await ask()
  w.clock.advance(601)
  expect((await visitor.submit('/sign-up/code', { code: second })).status).toBe(400)
  const third = (await ask()).toLowerCase().replace('-', ' ').replaceAll('0', 'o')
  expect((await visitor.submit('/sign-up/code', { code: third })).status).toBe(303)
})

test('another code comes for what the same browser asked for, also after the first has expired', async () => {
  const email = 'again@example.com'
  const visitor = await new Visitor(url).get('/sign-up')
  await visitor.submit('/sign-up', { name: 'X', email, password })
  const code = codeFor(email)
  w.clock.advance(601)
  await cleanUp(w.server.context)
  const stranger = await new Visitor(url).get('/sign-up')
  await stranger.post('/sign-up/again', { form_token: tokenOn(stranger), email })
  expect([stranger.status, codeFor(email)]).toEqual([200, code])
  await visitor.submit('/sign-up/again', {})
  expect(visitor.text).toContain('class="notice good"')
  expect((await visitor.submit('/sign-up/code', { code })).status).toBe(400)
  expect(visitor.text).not.toContain('class="notice good"')
  expect((await visitor.submit('/sign-up/code', { code: codeFor(email) })).status).toBe(303)
  expect(await trySignIn(email, password)).toBe(303)
})

test('those who have an account read whom to contact, and strangers no address', async () => {
  const visitor = await signUp(w, 'lost@example.com')
  await visitor.get('/sign-in?again=factor')
  expect(visitor.text).toContain('contact operator@example.com.')
  const stranger = await new Visitor(url).get('/sign-in?again=factor')
  expect(stranger.text).toContain('contact whoever runs this installation.')
  await visitor.get('/security/delete')
  await visitor.submit('/security/delete', { email: 'lost@example.com' })
  expect(outbox('lost@example.com')[0]?.text).toContain('contact operator@example.com immediately.')
})

test('an address gets at most five mails an hour', async () => {
  await signUp(w, 'mails@example.com')
  const visitor = new Visitor(url)
  for (let times = 0; times < 10; times++) {
    await visitor.get('/reset-password')
    await visitor.submit('/reset-password', { email: 'mails@example.com' })
  }
  expect(outbox('mails@example.com').length).toBe(5)
})

test('a reset changes the password and ends every session', async () => {
  const email = 'forgetful@example.com'
  const before = await signUp(w, email)
  const visitor = await new Visitor(url).get('/reset-password')
  await visitor.submit('/reset-password', { email })
  const code = codeFor(email)
  await visitor.submit('/reset-password/code', { code, password: 'weak' })
  expect(visitor.status).toBe(400)
  await visitor.submit('/reset-password/code', { code, password: 'another long phrase entirely' })
  expect(visitor.headers.get('location')).toBe('/sign-in?done=password')
  expect((await fetch(`${url}/account/session`, { headers: { cookie: cookieOf(before) } })).status).toBe(401)
  expect(await trySignIn(email, password)).toBe(401)
  expect(await trySignIn(email, 'another long phrase entirely')).toBe(303)
  expect(outbox(email)[0]?.kind).toBe('changed')
})

test('a reset that a stranger asks for does not end the code of the owner', async () => {
  const email = 'patient@example.com'
  await signUp(w, email)
  const owner = await new Visitor(url).get('/reset-password')
  await owner.submit('/reset-password', { email })
  const code = codeFor(email)
  const stranger = await new Visitor(url).get('/reset-password')
  await stranger.submit('/reset-password', { email })
  expect(codeFor(email)).not.toBe(code)
  const change = { code, password: 'another long phrase entirely' }
  expect((await stranger.submit('/reset-password/code', change)).status).toBe(400)
  await owner.submit('/reset-password/code', change)
  expect(owner.headers.get('location')).toBe('/sign-in?done=password')
})

function cookieOf(visitor: Visitor): string {
  return [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

test('guessing is slowed down more and more, for known and unknown accounts alike', async () => {
  await signUp(w, 'victim@example.com')
  for (const email of ['victim@example.com', 'nobody@example.com']) {
    const delays: number[] = []
    for (let attempt = 0; attempt < 40 && delays.length < 6; attempt++) {
      const visitor = await new Visitor(url).signIn(email, 'a wrong password')
      if (visitor.status !== 429) continue
      const seconds = Number(visitor.headers.get('retry-after'))
      delays.push(seconds)
      w.clock.advance(seconds)
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32])
  }
  expect(await trySignIn('victim@example.com', password)).toBe(303)
  // A correct password resets the failure counter.
  for (let attempt = 0; attempt < 4; attempt++)
    expect(await trySignIn('victim@example.com', 'a wrong password')).toBe(401)
})

soak('somebody elsewhere cannot lock the owner of an account out for more than a minute', async () => {
  await using behind = await world({ is_reachable: true, trusted_proxies: ['127.0.0.1'] })
  const home = behind.server.context.config.public_url
  await signUp(behind, 'target@example.com')
  const signInFrom = async (address: string, secret: string) => {
    const visitor = await new Visitor(home).get('/sign-in')
    const token = /name="form_token" value="([^"]+)"/.exec(visitor.text)?.[1] ?? ''
    const fields = { form_token: token, return_to: '/account', email: 'target@example.com', password: secret }
    return visitor.post('/sign-in', fields, { 'x-forwarded-for': address })
  }
  for (let host = 0; host < 60; host++) {
    const { headers } = await signInFrom(`203.0.113.${host}`, 'a wrong password')
    behind.clock.advance(Number(headers.get('retry-after') ?? 0))
  }
  const owner = await signInFrom('198.51.100.7', password)
  const wait = Number(owner.headers.get('retry-after') ?? 0)
  expect(wait).toBeLessThanOrEqual(60)
  behind.clock.advance(wait)
  expect((await signInFrom('198.51.100.7', password)).status).toBe(303)
})

test('forwarded addresses count only from configured proxies', async () => {
  const visitor = await signUp(w, 'direct@example.com')
  await visitor.get('/sign-in')
  const token = /name="form_token" value="([^"]+)"/.exec(visitor.text)?.[1] ?? ''
  const fields = { form_token: token, return_to: '/account', email: 'direct@example.com', password }
  await visitor.post('/sign-in', fields, { 'x-forwarded-for': '203.0.113.9' })
  const rows = await w.server.context.db.query<{ ip_address: string }>(
    `SELECT s.ip_address FROM user_sessions s JOIN users u ON u.id = s.user_id WHERE u.email_key = 'direct@example.com'`,
  )
  expect(new Set(rows.map(({ ip_address }) => ip_address))).toEqual(new Set(['127.0.0.1']))
})

test('sessions are listed, ended one by one, and end by themselves', async () => {
  const first = await signUp(w, 'many@example.com')
  const second = await new Visitor(url).signIn('many@example.com', password)
  await first.get('/security')
  expect(first.text.match(/action="\/security\/sessions\/[^"]+\/end"/g)).toHaveLength(1)
  await first.submit('/security/sessions/', {})
  expect(first.headers.get('location')).toBe('/security?done=session')
  expect((await fetch(`${url}/account/session`, { headers: { cookie: cookieOf(second) } })).status).toBe(401)
  await first.get('/security?done=session')
  expect(first.text).toMatch(/signed in \d{1,2} \w+ \d{4}, \d\d:\d\d UTC ·&nbsp;this browser/)
  expect(first.text).not.toContain('/security/sessions/')
  w.clock.advance(24 * 3600 + 1)
  w.timers.advance(1000)
  expect((await fetch(`${url}/account/session`, { headers: { cookie: cookieOf(first) } })).status).toBe(401)
})

test('a sign-in gives a new session and ends the one before', async () => {
  const visitor = await signUp(w, 'fixed@example.com')
  const planted = cookieOf(visitor)
  await visitor.signIn('fixed@example.com', password)
  expect(cookieOf(visitor)).not.toBe(planted)
  expect((await fetch(`${url}/account/session`, { headers: { cookie: planted } })).status).toBe(401)
})

test('what changes something needs the CSRF header', async () => {
  const visitor = await signUp(w, 'careful@example.com')
  for (const csrf of [undefined, '', 'wrong', 'A'.repeat(43)]) {
    const answer = await fetch(`${url}/account/organizations`, {
      method: 'POST',
      headers: {
        cookie: cookieOf(visitor),
        'content-type': 'application/json',
        ...(csrf !== undefined && { 'x-csrf-token': csrf }),
      },
      body: '{"name":"x"}',
    })
    expect(answer.status).toBe(403)
  }
  expect((await fetch(`${url}/account/session`)).headers.has('access-control-allow-origin')).toBe(false)
})

test('by invitation only those who are invited can sign up', async () => {
  await using closed = await world({ is_reachable: true, signup: 'invited' })
  const { context } = closed.server
  const inviter = await signUpAnyway(closed)
  const organization = await found(inviter)
  const stranger = await new Visitor(context.config.public_url).get('/sign-up')
  await stranger.submit('/sign-up', { name: 'X', email: 'uninvited@example.com', password })
  expect(stranger.status).toBe(200)
  expect(context.mailer.outbox?.filter(({ to }) => to === 'uninvited@example.com')).toEqual([])
  await inviter.account('POST', `/account/organizations/${organization}/invitations`, {
    email: 'Guest@example.com',
    role: 'viewer',
  })
  const guest = await signUp(closed, 'guest@example.com')
  const { body } = await guest.account<{ data: { id: string; organization_name: string }[] }>(
    'GET',
    '/account/invitations',
  )
  expect(body.data).toHaveLength(1)
  await guest.get('/account')
  await guest.submit('/invitations/', { answer: 'accept' })
  const { body: session } = await guest.account<{ organizations: { role: string }[] }>(
    'GET',
    '/account/session',
  )
  expect(session.organizations.map(({ role }) => role)).toEqual(['viewer'])
  const events = await context.db.query<{ type: string; verb: string }>(
    `SELECT object->>'type' AS type, verb FROM events WHERE organization_id = $1 ORDER BY sequence`,
    [organization],
  )
  expect(events.map(({ type, verb }) => `${verb} ${type}`)).toEqual([
    'create organization',
    'create user',
    'create alarm_rule',
    'create invitation',
    'use invitation',
    'create user',
  ])
})

async function signUpAnyway({ server }: World): Promise<Visitor> {
  const { db, clock } = server.context
  await db.query(
    `INSERT INTO invitations (id, organization_id, email, email_key, role, created_at, expires_at)
     VALUES ('inv_x', 'org_x', 'first@example.com', 'first@example.com', 'owner', $1, $1::timestamptz + interval '1 day')`,
    [clock.now()],
  )
  return signUp({ server } as World, 'first@example.com')
}

test('no password, code or session is in the database, the log or an event', async () => {
  const email = 'secret@example.com'
  const visitor = await signUp(w, email)
  const rows = await w.server.context.db.query<{ text: string }>(
    `SELECT string_agg(t::text, ' ') AS text FROM users t UNION ALL SELECT string_agg(t::text, ' ') FROM user_sessions t
     UNION ALL SELECT string_agg(t::text, ' ') FROM mail_codes t UNION ALL SELECT string_agg(t::text, ' ') FROM sign_in_failures t
     UNION ALL SELECT string_agg(t::text, ' ') FROM events t`,
  )
  const dump = rows.map(({ text }) => text).join(' ')
  expect(
    [password, codeFor(email), ...visitor.cookies.values()].filter(secret => dump.includes(secret)),
  ).toEqual([])
})
