import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorize, type Client, callback, codeOf, exchange, found, register, signUp } from './people.ts'
import { Visitor } from './visitor.ts'

let w: World
let owner: Visitor
let client: Client

beforeAll(async () => {
  w = await world({ is_reachable: true })
  owner = await signUp(w, 'owner@example.com')
  await found(owner)
  client = await register(owner, { redirect_uris: [callback, 'http://localhost/dev/callback'] })
})
afterAll(() => w[Symbol.asyncDispose]())

const nearMisses = [
  'https://client.example/callback/',
  'https://client.example/callback?',
  'https://client.example/callback?x=1',
  'https://client.example/callback#',
  'https://client.example/callback#x',
  'https://client.example/Callback',
  'https://client.example/callback%20',
  'https://client.example/callback ',
  ' https://client.example/callback',
  'https://client.example//callback',
  'https://client.example/./callback',
  'https://client.example/x/../callback',
  'https://client.example/callback/..',
  'https://client.example/%63allback',
  'https://client.example/callback;x',
  'https://client.example/callback\\',
  'https://client.example:443/callback',
  'https://client.example:8443/callback',
  'https://client.example./callback',
  'https://CLIENT.example/callback',
  'https://client.example@evil.example/callback',
  'https://user@client.example/callback',
  'https://client.example.evil.example/callback',
  'https://evil.example/callback',
  'https://evil.example/https://client.example/callback',
  'https://www.client.example/callback',
  'https://client.example',
  'https://client.example/',
  'http://client.example/callback',
  'HTTPS://client.example/callback',
  '//client.example/callback',
  '/callback',
  'client.example/callback',
  'javascript:alert(1)//https://client.example/callback',
  'data:text/html,x',
  'https://client.example/callback\n',
  'https://client.example/callback\u0000',
  'https://client.example/callback\r\nLocation: https://evil.example',
  'http://localhost.evil.example/dev/callback',
  'http://localhost/dev/callback/',
  'http://localhost:3000/dev/callback?x',
  'http://127.0.0.1/dev/callback',
  'https://localhost/dev/callback',
  'http://localhost:3000@evil.example/dev/callback',
  '',
]

test('near misses of a redirect URI never redirect', async () => {
  expect(nearMisses.length).toBeGreaterThanOrEqual(40)
  const wrong = []
  for (const redirect_uri of nearMisses) {
    const query = new URLSearchParams({ ...plain(), redirect_uri })
    const visitor = await new Visitor(owner.url).get(`/oauth2/auth?${query}`)
    const is_page = visitor.status === 400 && /<h1>/.test(visitor.text)
    if (!is_page || visitor.headers.has('location')) wrong.push([redirect_uri, visitor.status])
  }
  expect(wrong).toEqual([])
})

function plain() {
  const { client_id } = client
  return { client_id, redirect_uri: callback, response_type: 'code', scope: 'full_read_only', state: 's' }
}

test('a registered loopback URI serves any port', async () => {
  for (const port of ['', ':3000', ':65535']) {
    const redirect_uri = `http://localhost${port}/dev/callback`
    const end = await authorize(owner, { ...client, redirect_uri })
    expect(end.href.startsWith(redirect_uri)).toBe(true)
    expect((await exchange(owner.url, client, codeOf(end))).status).toBe(200)
  }
})

test('an unknown client, a missing redirect URI with several registered, and errors after a mismatch stay here', async () => {
  for (const fields of [
    { ...plain(), client_id: 'app_00000000000000000000' },
    { ...plain(), redirect_uri: 'https://evil.example/', scope: 'full_read_only \u0007' },
    { ...plain(), redirect_uri: 'https://evil.example/', response_type: 'token' },
  ]) {
    const visitor = await new Visitor(owner.url).get(`/oauth2/auth?${new URLSearchParams(fields)}`)
    expect([visitor.status, visitor.headers.get('location')]).toEqual([400, null])
    expect(visitor.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  }
})

test('other errors go to the application, with state and issuer', async () => {
  for (const [fields, error] of [
    [{ response_type: 'something' }, 'unsupported_response_type'],
    [{ response_type: 'token' }, 'invalid_request'],
    [{ prompt: 'none' }, 'login_required'],
    [{ scope: 'offline' }, 'invalid_scope'],
  ] as const) {
    const end = await authorize(owner, { ...client, state: 's t', more: fields })
    expect(end.origin + end.pathname).toBe(callback)
    // Errors of response types that use the fragment are returned in the fragment.
    const answer = new URLSearchParams(end.hash ? end.hash.slice(1) : end.search)
    expect(answer.get('error')).toBe(error)
    expect(answer.get('state')).toBe('s t')
    expect(answer.get('iss')).toBe(owner.url)
  }
})

test('redirects are 303, and no script elsewhere may read the authorization endpoint', async () => {
  await owner.get(`/oauth2/auth?${new URLSearchParams(plain())}`, { origin: 'https://evil.example' })
  expect([owner.status, owner.headers.get('access-control-allow-origin')]).toEqual([303, null])
  const statuses = []
  for (const decision of ['allow', 'deny'] as const) {
    await authorize(owner, { ...client, decision })
    statuses.push(owner.status)
  }
  expect(statuses).toEqual([303, 303])
})

test('the user may deny', async () => {
  const end = await authorize(owner, { ...client, decision: 'deny' })
  expect(end.searchParams.get('error')).toBe('access_denied')
  expect(end.searchParams.has('code')).toBe(false)
})

test('an authorization cannot be finished in another browser, nor without the form token', async () => {
  const query = new URLSearchParams(plain())
  await owner.get(`/oauth2/auth?${query}`)
  const path = new URL(owner.headers.get('location') ?? '', owner.url).pathname
  const other = await new Visitor(owner.url).get(path)
  expect(other.status).toBe(400)
  await owner.get(path)
  const forged = await owner.post(path, { decision: 'allow', form_token: 'forged' })
  expect(forged.status).toBe(403)
  await owner.get(path)
  const token = /name="form_token" value="([^"]+)"/.exec(owner.text)?.[1] ?? ''
  const foreign = await owner.post(
    path,
    { decision: 'allow', form_token: token },
    { origin: 'https://evil.example' },
  )
  expect(foreign.status).toBe(403)
})

test('sign-in leads only to pages of our own', async () => {
  for (const target of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/v2/members',
    'javascript:1',
  ]) {
    const visitor = await new Visitor(owner.url).signIn(
      'owner@example.com',
      'correct horse battery staple',
      target,
    )
    expect([target, visitor.headers.get('location')]).toEqual([target, '/'])
  }
})

test('metadata of the server is where RFC 8414 says', async () => {
  const answer = await fetch(`${owner.url}/.well-known/oauth-authorization-server`)
  const metadata = (await answer.json()) as Record<string, unknown>
  expect(metadata).toMatchObject({
    issuer: owner.url,
    authorization_endpoint: `${owner.url}/oauth2/auth`,
    token_endpoint: `${owner.url}/oauth2/token`,
    revocation_endpoint: `${owner.url}/oauth2/revoke`,
    introspection_endpoint: `${owner.url}/oauth2/introspect`,
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
    authorization_response_iss_parameter_supported: true,
  })
  expect(metadata.scopes_supported).toEqual(
    expect.arrayContaining(['full_read_write', 'full_read_only', 'offline']),
  )
})
