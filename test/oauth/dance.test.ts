import type { World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorize, type Client, callback, codeOf, exchange, refresh, signUp, statusOf } from './people.ts'
import { openStage } from './stage.ts'
import type { Visitor } from './visitor.ts'

let w: World
let owner: Visitor
let client: Client
let organization_id: string

beforeAll(async () => {
  ;({ w, owner, organization_id, client } = await openStage())
})
afterAll(() => w[Symbol.asyncDispose]())

test('the dance has every shape of the specification', async () => {
  const state = 'x/y+z= ü&%20?#"\'<>'
  const end = await authorize(owner, { ...client, organization_id, state })
  expect(end.origin + end.pathname).toBe(callback)
  expect(end.searchParams.get('state')).toBe(state)
  expect(end.searchParams.get('scope')?.split(' ').sort()).toEqual(['full_read_write', 'offline'])
  expect(end.searchParams.get('iss')).toBe(owner.url)
  const { status, body, headers } = await exchange(owner.url, client, codeOf(end))
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body).toEqual({
    access_token: expect.stringMatching(/^gha_[\w-]{43}$/),
    refresh_token: expect.stringMatching(/^ghr_[\w-]{43}$/),
    expires_in: 3600,
    scope: expect.stringContaining('full_read_write'),
    token_type: 'bearer',
  })
  expect(await statusOf(owner.url, body.access_token)).toBe(200)
  const next = await refresh(owner.url, client, body.refresh_token ?? '')
  expect(next.status).toBe(200)
  expect(Object.keys(next.body).sort()).toEqual(Object.keys(body).sort())
  expect(next.body.refresh_token).not.toBe(body.refresh_token)
  expect(await statusOf(owner.url, next.body.access_token)).toBe(200)
})

test('whoever has no organization reads so, with a way to one, and a way back', async () => {
  const lonely = await signUp(w, 'lonely@example.com')
  const query = { client_id: client.client_id, redirect_uri: callback, response_type: 'code', state: 's' }
  const ask = () => lonely.get(`/oauth2/auth?${new URLSearchParams({ ...query, scope: 'full_read_only' })}`)
  await ask()
  await lonely.follow()
  expect(lonely.text).toContain('<h1>No organization yet</h1>')
  expect(lonely.text).toContain('<button>Create an organization</button>')
  expect(lonely.text).toContain('ask an owner to invite lonely@example.com')
  await lonely.submit('/authorize/', { decision: 'deny' })
  expect(new URL((await lonely.follow()) ?? '').searchParams.get('error')).toBe('access_denied')
  await ask()
  await lonely.follow()
  await lonely.submit('/organizations', { name: 'Corner Gym' })
  await lonely.follow()
  expect(lonely.text).toContain('wants access to Corner Gym')
})

test('scopes of others are left out, and there is no OpenID', async () => {
  const end = await authorize(owner, { ...client, organization_id, scope: 'openid email full_read_only' })
  expect(end.searchParams.get('scope')).toBe('full_read_only')
  const { body } = await exchange(owner.url, client, codeOf(end))
  expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type'])
  expect(body.scope).toBe('full_read_only')
})

test('answers come in the query only', async () => {
  for (const response_mode of ['fragment', 'form_post', 'web_message']) {
    const query = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: callback,
      response_type: 'code',
      response_mode,
      scope: 'full_read_only',
      state: 's',
    })
    await owner.get(`/oauth2/auth?${query}`)
    expect([response_mode, owner.text.includes('code=')]).toEqual([response_mode, false])
    expect(owner.headers.get('location') ?? '').not.toContain('/authorize/')
  }
})
