import { commandApplicationId, deviceGrantType } from '@gatehouse-access/server'
import type { World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askToken, found, register, signUp, statusOf } from './people.ts'
import { openStage } from './stage.ts'
import { Visitor } from './visitor.ts'

let w: World
let owner: Visitor
let url: string
let serial = 0

beforeAll(async () => {
  const stage = await openStage({ trusted_proxies: ['127.0.0.1'] })
  ;({ w, owner, url } = stage)
})
afterAll(() => w[Symbol.asyncDispose]())

interface Code {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly interval: number
  readonly expires_in: number
}

async function askForCode(fields: Record<string, string> = {}): Promise<{ status: number; body: Code }> {
  const answer = await fetch(`${url}/oauth2/device_authorization`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: commandApplicationId,
      scope: 'full_read_write offline',
      ...fields,
    }),
  })
  return { status: answer.status, body: (await answer.json()) as Code }
}

const poll = ({ device_code }: Code, client_id = commandApplicationId) =>
  askToken(url, { grant_type: deviceGrantType, client_id, device_code })

/** As a terminal asks, after the interval. */
async function pollLater(code: Code, seconds = code.interval) {
  w.clock.advance(seconds)
  return poll(code)
}

async function decide(visitor: Visitor, { user_code }: Code, decision: 'allow' | 'deny'): Promise<Visitor> {
  await visitor.get(`/device?user_code=${user_code}`)
  await visitor.submit('/device', { user_code })
  return visitor.submit('/device', { decision })
}

/** A user with an organization of their own. */
async function newcomer(): Promise<Visitor> {
  const visitor = await signUp(w, `device-${++serial}@example.com`)
  await found(visitor, `Organization ${serial}`)
  return visitor
}

test('a terminal gets tokens once its user has typed the code and allowed it', async () => {
  const { status, body: code } = await askForCode()
  expect(status).toBe(200)
  expect(code).toMatchObject({
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    device_code: expect.stringMatching(/^ghd_.{40,}$/),
    verification_uri: `${url}/device`,
    verification_uri_complete: `${url}/device?user_code=${code.user_code}`,
    interval: 5,
    expires_in: 600,
  })
  expect((await poll(code)).body.error).toBe('authorization_pending')

  const visitor = await new Visitor(url).get('/device')
  expect(visitor.headers.get('location')).toBe('/sign-in?return_to=%2Fdevice')
  await owner.get('/device')
  await owner.submit('/device', { user_code: ` ${code.user_code.toLowerCase().replace('-', ' ')}` })
  expect(owner.text).toContain(code.user_code)
  expect(owner.text).toMatch(/With Gatehouse command, the terminal at 127\.0\.0\.1 will act for you in /)
  expect(owner.text).toContain('See and change everything')
  await owner.submit('/device', { decision: 'allow' })
  expect(owner.text).toContain('The terminal is connected to ')

  const given = await pollLater(code)
  expect(given).toMatchObject({
    status: 200,
    body: { token_type: 'bearer', scope: 'full_read_write offline', expires_in: 3600 },
  })
  const { access_token, refresh_token = '' } = given.body
  expect(await statusOf(url, access_token)).toBe(200)
  const introspected = await fetch(`${url}/oauth2/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: commandApplicationId, token: access_token }),
  })
  expect(await introspected.json()).toMatchObject({ active: true, username: 'owner@example.com' })
  const renewed = await askToken(url, {
    ...{ grant_type: 'refresh_token', client_id: commandApplicationId, refresh_token },
  })
  expect(await statusOf(url, renewed.body.access_token)).toBe(200)

  expect((await pollLater(code)).body.error).toBe('invalid_grant')
  expect(await statusOf(url, renewed.body.access_token)).toBe(401)
})

test('a denied or expired request gives nothing, and stays so', async () => {
  const { body: denied } = await askForCode()
  expect((await decide(owner, denied, 'deny')).text).toContain('got no access')
  expect((await poll(denied)).body.error).toBe('access_denied')
  expect((await decide(owner, denied, 'allow')).status).toBe(400)
  expect((await pollLater(denied)).body.error).toBe('access_denied')

  const { body: late } = await askForCode()
  w.clock.advance(601)
  await owner.get('/device')
  await owner.submit('/device', { user_code: late.user_code })
  expect(owner.status).toBe(400)
  expect(owner.text).toContain('run <code>gatehouse login</code> again')
  expect(owner.text).toContain(`name="return_to" value="/device?user_code=${late.user_code}"`)
  expect(owner.text).toContain('Use a different account')
  expect(['expired_token', 'invalid_grant']).toContain((await poll(late)).body.error)
})

test('a terminal that asks too often has to wait longer each time', async () => {
  const { body: code } = await askForCode()
  const answers: (string | undefined)[] = []
  for (const pause of [0, 1, 6, 15, 14]) {
    w.clock.advance(pause)
    answers.push((await poll(code)).body.error)
  }
  expect(answers).toEqual([
    'authorization_pending',
    'slow_down',
    'slow_down',
    'authorization_pending',
    'authorization_pending',
  ])
})

test('of two users who allow the same code, one does', async () => {
  const { body: code } = await askForCode()
  const [one, other] = [await newcomer(), await newcomer()]
  for (const visitor of [one, other]) {
    await visitor.get('/device')
    await visitor.submit('/device', { user_code: code.user_code })
  }
  await Promise.all([one, other].map(visitor => visitor.submit('/device', { decision: 'allow' })))
  expect([one.status, other.status].sort()).toEqual([200, 400])
  const { body } = await pollLater(code)
  const organization = await fetch(`${url}/v2/organization`, {
    headers: { authorization: `Bearer ${body.access_token}` },
  })
  const name = one.status === 200 ? serial - 1 : serial
  expect(await organization.json()).toMatchObject({ name: `Organization ${name}` })
})

test('codes cannot be guessed, and knowing one gives no more tries', async () => {
  const guesser = await newcomer()
  const { body: own } = await askForCode()
  const { body: other } = await askForCode()
  const from = { 'x-forwarded-for': '198.51.100.7' }
  const type = async (user_code: string) => {
    await guesser.get('/device')
    return (await guesser.submit('/device', { user_code }, from)).status
  }
  const statuses: number[] = []
  for (let guess = 0; guess < 7; guess++) {
    statuses.push(await type('BBBB-BBBB'))
    if (guess < 4) expect(await type(own.user_code)).toBe(200)
  }
  expect(statuses.slice(0, 5)).toEqual([400, 400, 400, 400, 400])
  expect(statuses.slice(5)).toEqual([429, 429])
  expect(await type(other.user_code)).toBe(429)
  w.clock.advance(901)
  expect(await type(other.user_code)).not.toBe(429)
})

test('only the command can ask for such codes, and only for itself', async () => {
  const { client_id } = await register(owner, { name: 'Any application', is_public: true })
  const foreign = await askForCode({ client_id })
  expect([foreign.status, foreign.body]).toEqual([400, expect.objectContaining({ error: 'invalid_request' })])
  const { body: code } = await askForCode()
  await decide(owner, code, 'allow')
  const stolen = await askToken(url, {
    ...{ grant_type: deviceGrantType, client_id, device_code: code.device_code },
  })
  expect(stolen.status).toBe(400)
  expect(stolen.body.access_token).toBeUndefined()
  const redirected = await fetch(
    `${url}/oauth2/auth?client_id=${commandApplicationId}&redirect_uri=https%3A%2F%2Fevil.example&response_type=code`,
    { redirect: 'manual' },
  )
  expect(redirected.status).toBe(400)
})

test('another site can neither type nor allow a code, nor frame the page', async () => {
  const { body: code } = await askForCode()
  await owner.get(`/device?user_code=${code.user_code}`)
  expect(owner.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  await owner.post('/device', { user_code: code.user_code, decision: 'allow' })
  expect(owner.status).toBe(403)
  await owner.get('/device?user_code=%22%3E%3Cscript%3E')
  expect(owner.text).not.toContain('<script>')
  await owner.get('/oauth2/device')
  expect(owner.headers.get('location')).toBe('/device')
  expect((await poll(code)).body.error).toBe('authorization_pending')
})

test('a viewer gives reading only, and what is revoked ends with it', async () => {
  const viewer = await newcomer()
  await w.server.context.db.query(
    `UPDATE organization_users SET role = 'viewer' WHERE user_id = (SELECT id FROM users WHERE email_key = $1)`,
    [`device-${serial}@example.com`],
  )
  const { body: writing } = await askForCode()
  await viewer.get('/device')
  await viewer.submit('/device', { user_code: writing.user_code })
  expect(viewer.text).toContain('As a viewer, you cannot give this application the access it asks for.')
  await viewer.submit('/device', { decision: 'allow' })
  expect(viewer.status).toBe(400)
  expect((await poll(writing)).body.error).toBe('authorization_pending')

  const { body: code } = await askForCode({ scope: 'full_read_only offline' })
  await decide(viewer, code, 'allow')
  const { body } = await poll(code)
  expect(body.scope).toBe('full_read_only offline')
  expect(await statusOf(url, body.access_token)).toBe(200)
  await fetch(`${url}/oauth2/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: commandApplicationId, token: body.refresh_token ?? '' }),
  })
  expect(await statusOf(url, body.access_token)).toBe(401)
})
