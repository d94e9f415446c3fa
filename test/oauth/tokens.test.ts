import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '@gatehouse-access/server'
import type { World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askToken, authorize, type Client, codeOf, exchange, refresh, register, statusOf } from './people.ts'
import { openStage } from './stage.ts'
import { challengeOf, type Visitor } from './visitor.ts'

let w: World
let owner: Visitor
let client: Client
let url: string

beforeAll(async () => {
  ;({ w, owner, client, url } = await openStage())
})
afterAll(() => w[Symbol.asyncDispose]())

async function getCode(
  scope = 'full_read_write offline',
  more: Record<string, string> = {},
): Promise<string> {
  return codeOf(await authorize(owner, { ...client, scope, more }))
}

async function getTokens(scope?: string) {
  return (await exchange(url, client, await getCode(scope))).body
}

test('a code used twice is refused and takes its tokens with it', async () => {
  const code = await getCode()
  const { body } = await exchange(url, client, code)
  expect(await statusOf(url, body.access_token)).toBe(200)
  const replay = await exchange(url, client, code)
  expect([replay.status, replay.body.error]).toEqual([400, 'invalid_grant'])
  expect(await statusOf(url, body.access_token)).toBe(401)
  expect((await refresh(url, client, body.refresh_token ?? '')).body.error).toBe('invalid_grant')
})

test('a code lives 15 minutes', async () => {
  const [early, late] = [await getCode(), await getCode()]
  w.clock.advance(14 * 60 + 50)
  expect((await exchange(url, client, early)).status).toBe(200)
  w.clock.advance(15)
  const { status, body } = await exchange(url, client, late)
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
})

test('an access token lives an hour', async () => {
  const { access_token } = await getTokens()
  w.clock.advance(3590)
  expect(await statusOf(url, access_token)).toBe(200)
  w.clock.advance(15)
  expect(await statusOf(url, access_token)).toBe(401)
  await owner.signIn('owner@example.com', 'correct horse battery staple')
})

test('a code serves only the client it was made for', async () => {
  const other = await register(owner, { name: 'Other client' })
  const code = await getCode()
  expect((await exchange(url, other, code)).body.error).toBe('invalid_grant')
  expect((await exchange(url, client, code)).status).toBe(200)
})

test('a wrong secret opens nothing, in the form or in the header', async () => {
  const code = await getCode()
  const wrong = { ...client, client_secret: `${client.client_secret.slice(0, -1)}!` }
  const form = await exchange(url, wrong, code)
  expect([form.status, form.body.error]).toEqual([401, 'invalid_client'])
  const header = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`${client.client_id}:${secret}`).toString('base64')}`,
  })
  const fields = { grant_type: 'authorization_code', code }
  expect((await askToken(url, fields, header('nonsense'))).status).toBe(401)
  expect((await askToken(url, { ...fields, client_id: client.client_id })).status).toBe(401)
  const right = await askToken(url, fields, header(client.client_secret))
  expect([right.status, right.body.token_type]).toEqual([200, 'bearer'])
})

test('a rotated secret ends the old one at once', async () => {
  const own = await register(owner, { name: 'Rotating' })
  const first = codeOf(await authorize(owner, own))
  const renewed = await owner.account<{ client_secret: string }>(
    'POST',
    `/account/applications/${own.client_id}/secret`,
  )
  expect((await exchange(url, own, first)).status).toBe(401)
  expect((await exchange(url, { ...own, client_secret: renewed.body.client_secret }, first)).status).toBe(200)
})

test('the exchange works with and without redirect_uri, never with another', async () => {
  const redirect_uri = 'https://client.example/callback'
  expect((await exchange(url, client, await getCode(), { redirect_uri })).status).toBe(200)
  const other = await exchange(url, client, await getCode(), { redirect_uri: `${redirect_uri}/` })
  expect([other.status, other.body.error]).toEqual([400, 'invalid_grant'])
})

test('of 50 exchanges of one code at once at most one succeeds', async () => {
  const code = await getCode()
  const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(url, client, code)))
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  expect(new Set(answers.map(({ status }) => status))).not.toContain(500)
})

test('a lost answer to a refresh is given again for 30 seconds; later use ends the family', async () => {
  const first = await getTokens()
  const token = first.refresh_token ?? ''
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(url, client, token)))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.refresh_token}`)).size).toBe(1)
  w.clock.advance(25)
  const again = await refresh(url, client, token)
  expect(again.body).toEqual(answers[0]?.body)
  expect(await statusOf(url, again.body.access_token)).toBe(200)
  w.clock.advance(10)
  expect((await refresh(url, client, token)).body.error).toBe('invalid_grant')
  expect(await statusOf(url, again.body.access_token)).toBe(401)
  expect((await refresh(url, client, again.body.refresh_token ?? '')).body.error).toBe('invalid_grant')
})

test('a refresh token whose successor was used is a theft, also within 30 seconds', async () => {
  const first = await getTokens()
  const second = (await refresh(url, client, first.refresh_token ?? '')).body
  const third = (await refresh(url, client, second.refresh_token ?? '')).body
  expect((await refresh(url, client, first.refresh_token ?? '')).body.error).toBe('invalid_grant')
  expect((await refresh(url, client, third.refresh_token ?? '')).body.error).toBe('invalid_grant')
  expect(await statusOf(url, third.access_token)).toBe(401)
})

test('another client cannot have the answer to a refresh repeated', async () => {
  const other = await register(owner, { name: 'Curious' })
  const first = await getTokens()
  await refresh(url, client, first.refresh_token ?? '')
  expect((await refresh(url, other, first.refresh_token ?? '')).status).toBe(400)
})

test('without offline there is no refresh token', async () => {
  const body = await getTokens('full_read_write')
  expect(body.refresh_token).toBeUndefined()
  expect(body.scope).toBe('full_read_write')
})

test('a refresh may ask for less, never for more', async () => {
  const both = await getTokens('full_read_write full_read_only offline')
  const less = await refresh(url, client, both.refresh_token ?? '', { scope: 'full_read_only' })
  expect([less.status, less.body.scope]).toEqual([200, 'full_read_only'])
  const read = await getTokens('full_read_only offline')
  const more = await refresh(url, client, read.refresh_token ?? '', { scope: 'full_read_write' })
  expect([more.status, more.body.error]).toEqual([400, 'invalid_scope'])
})

test('PKCE cannot be downgraded', async () => {
  const verifier = 'a'.repeat(64)
  const more = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
  const outcomes = []
  for (const given of [{}, { code_verifier: 'b'.repeat(64) }, { code_verifier: more.code_challenge }])
    outcomes.push((await exchange(url, client, await getCode(undefined, more), given)).body.error)
  expect(outcomes).toEqual(['invalid_grant', 'invalid_grant', 'invalid_grant'])
  expect(
    (await exchange(url, client, await getCode(undefined, more), { code_verifier: verifier })).status,
  ).toBe(200)
  // A verifier for a code without a challenge indicates an injected code.
  expect((await exchange(url, client, await getCode(), { code_verifier: verifier })).body.error).toBe(
    'invalid_grant',
  )
  const plain = { code_challenge: verifier, code_challenge_method: 'plain' }
  const end = await authorize(owner, { ...client, more: plain })
  expect(end.searchParams.get('error')).toBe('invalid_request')
})

test('a public client needs PKCE and no secret', async () => {
  const app = await register(owner, {
    is_public: true,
    redirect_uris: ['com.example.app:/callback'],
    name: 'App',
  })
  const redirect_uri = 'com.example.app:/callback'
  const without = await authorize(owner, { ...app, redirect_uri })
  expect(without.searchParams.get('error')).toBe('invalid_request')
  const verifier = 'c'.repeat(50)
  const more = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
  const code = codeOf(await authorize(owner, { ...app, redirect_uri, more }))
  const fields = { grant_type: 'authorization_code', client_id: app.client_id, code, code_verifier: verifier }
  expect((await askToken(url, fields)).status).toBe(200)
})

test('tokens are revoked and introspected by their own client only', async () => {
  const other = await register(owner, { name: 'Stranger' })
  const tokens = await getTokens()
  const ask = async (path: string, who: Client, token: string) => {
    const answer = await fetch(`${url}/oauth2/${path}`, {
      method: 'POST',
      body: new URLSearchParams({ ...who, token }),
    })
    return { status: answer.status, body: JSON.parse((await answer.text()) || '{}') }
  }
  const about = await ask('introspect', client, tokens.access_token)
  expect(about.body).toMatchObject({ active: true, client_id: client.client_id, scope: tokens.scope })
  expect((await ask('introspect', other, tokens.access_token)).body).toEqual({ active: false })
  await ask('revoke', other, tokens.access_token)
  expect(await statusOf(url, tokens.access_token)).toBe(200)
  expect((await ask('revoke', client, tokens.access_token)).status).toBe(200)
  expect(await statusOf(url, tokens.access_token)).toBe(401)
  const next = await refresh(url, client, tokens.refresh_token ?? '')
  await ask('revoke', client, next.body.refresh_token ?? '')
  expect(await statusOf(url, next.body.access_token)).toBe(401)
})

test('de-authorization kills tokens at once here, and within a second in another process without being told', async () => {
  const other = await register(owner, { name: 'Short-lived' })
  const [organization] = (await owner.account<{ organizations: { id: string }[] }>('GET', '/account/session'))
    .body.organizations
  await using second = await startServer(
    { ...w.server.context.config, port: 0 },
    { clock: w.clock, timers: w.timers, jobs: false },
  )
  const tokens = (await exchange(url, other, codeOf(await authorize(owner, other)))).body
  const create = { method: 'POST', body: JSON.stringify({ url: 'https://hook.example/', filter: [] }) }
  const headers = { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' }
  expect((await fetch(`${url}/v2/webhooks`, { ...create, headers })).status).toBe(200)
  expect(await statusOf(second.url, tokens.access_token)).toBe(200)
  const path = `/account/organizations/${organization?.id}/installations/${other.client_id}`
  expect((await owner.account('DELETE', path)).status).toBe(200)
  expect(await statusOf(url, tokens.access_token)).toBe(401)
  w.timers.advance(1000)
  expect(await statusOf(second.url, tokens.access_token)).toBe(401)
  expect((await refresh(url, other, tokens.refresh_token ?? '')).body.error).toBe('invalid_grant')
  const events = await w.server.context.db.query<{ object: { type: string; name: string }; verb: string }>(
    `SELECT verb, object FROM events WHERE verb = 'delete' ORDER BY sequence DESC LIMIT 2`,
  )
  expect(events.map(({ object }) => `${object.type} ${object.name}`).sort()).toEqual([
    'oauth_application Short-lived',
    'webhook hook.example',
  ])
})

test('a revocation is seen within a second when its notification is lost', async () => {
  const other = await register(owner, { name: 'Unnoticed' })
  const tokens = (await exchange(url, other, codeOf(await authorize(owner, other)))).body
  expect(await statusOf(url, tokens.access_token)).toBe(200)
  await w.server.context.db.query('DELETE FROM installations WHERE oauth_application_id = $1', [
    other.client_id,
  ])
  w.timers.advance(1000)
  expect(await statusOf(url, tokens.access_token)).toBe(401)
})

test('nothing in the database reveals a code, a token or a secret', async () => {
  const code = await getCode()
  const { body } = await exchange(url, client, code)
  await refresh(url, client, body.refresh_token ?? '')
  const tables = await w.server.context.db.query<{ text: string }>(
    `SELECT string_agg(t::text, ' ') AS text FROM oauth_artifacts t UNION ALL SELECT string_agg(t::text, ' ') FROM access_tokens t
     UNION ALL SELECT string_agg(t::text, ' ') FROM user_sessions t UNION ALL SELECT string_agg(t::text, ' ') FROM oauth_applications t`,
  )
  const dump = tables.map(({ text }) => text).join(' ')
  const secrets = [
    code,
    body.access_token,
    body.refresh_token ?? '',
    client.client_secret,
    ...owner.cookies.values(),
  ]
  expect(secrets.filter(secret => dump.includes(secret))).toEqual([])
})

test('errors of the token endpoint are those of RFC 6749', async () => {
  const cases: [Record<string, string>, number, string][] = [
    [{}, 400, 'invalid_request'],
    [{ ...client }, 400, 'invalid_request'],
    [{ ...client, grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{ ...client, grant_type: 'authorization_code' }, 400, 'invalid_request'],
    [{ ...client, grant_type: 'authorization_code', code: 'nonsense' }, 400, 'invalid_grant'],
    [{ ...client, grant_type: 'refresh_token', refresh_token: 'nonsense' }, 400, 'invalid_grant'],
    [{ client_id: 'app_unknown', client_secret: 'x', grant_type: 'refresh_token' }, 401, 'invalid_client'],
  ]
  for (const [fields, status, error] of cases) {
    const answer = await askToken(url, fields)
    expect([answer.status, answer.body.error]).toEqual([status, error])
  }
})

test('de-authorization in the middle of exchanges leaves no token alive, also when the application comes back', async () => {
  const codes = []
  for (let made = 0; made < 12; made++) codes.push(await getCode())
  const { organizations } = (
    await owner.account<{ organizations: { id: string }[] }>('GET', '/account/session')
  ).body
  const path = `/account/organizations/${organizations[0]?.id}/installations/${client.client_id}`
  const exchanges = codes.map(async (code, index) => {
    await sleep(index * 4)
    return exchange(url, client, code)
  })
  await sleep(20)
  expect((await owner.account('DELETE', path)).status).toBe(200)
  const answers = await Promise.all(exchanges)
  for (const { status } of answers) expect([200, 400]).toContain(status)
  const fresh = await getTokens()
  expect(await statusOf(url, fresh.access_token)).toBe(200)
  for (const { status, body } of answers) {
    if (status !== 200) continue
    expect(await statusOf(url, body.access_token)).toBe(401)
    expect((await refresh(url, client, body.refresh_token ?? '')).body.error).toBe('invalid_grant')
  }
})

test('where tokens cannot be stored, none is given and the code stays good', async () => {
  const code = await getCode()
  const { db } = w.server.context
  await db.query('ALTER FUNCTION give_tokens(jsonb) RENAME TO give_nothing')
  const failed = await exchange(url, client, code)
  await db.query('ALTER FUNCTION give_nothing(jsonb) RENAME TO give_tokens')
  expect([failed.status, failed.body.error]).toEqual([500, 'server_error'])
  expect((await exchange(url, client, code)).status).toBe(200)
})

test('exchanges of the same moment do not mix up: each gets its own', async () => {
  const codes = []
  for (let made = 0; made < 10; made++)
    codes.push(await getCode(made % 2 ? 'full_read_only' : 'full_read_write offline'))
  const wrong = exchange(url, client, 'ghc_unknown')
  const answers = await Promise.all(codes.map(code => exchange(url, client, code)))
  expect((await wrong).status).toBe(400)
  expect(answers.map(({ body }) => body.refresh_token !== undefined)).toEqual(
    codes.map((_, made) => made % 2 === 0),
  )
  expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(10)
  for (const [made, { body }] of answers.entries()) {
    const post = await fetch(`${url}/v2/members`, {
      method: 'POST',
      headers: { authorization: `Bearer ${body.access_token}` },
    })
    expect(post.status).toBe(made % 2 ? 403 : 200)
  }
})
