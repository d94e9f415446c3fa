import { type World, world } from '@gatehouse/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  authorize,
  type Client,
  callback,
  codeOf,
  exchange,
  found,
  refresh,
  register,
  signUp,
  statusOf,
} from './people.ts'
import type { Visitor } from './visitor.ts'

let w: World
let owner: Visitor
let client: Client
let organization_id: string

beforeAll(async () => {
  w = await world({ is_reachable: true })
  owner = await signUp(w, 'owner@example.com')
  organization_id = await found(owner)
  client = await register(owner)
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
