import { type Endpoint, endpoints } from '@gatehouse-access/api'
import { type Tenant, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, requester } from './ask.ts'
import { fillPath, kindOf } from './bad-requests.ts'
import { type Ids, neverId, plantOneOfEach } from './one-of-each.ts'

/**
 * Authentication, scope, id format, existence, body: the first of these that fails is reported, regardless of
 * later errors.
 */
const owned = new AsyncDisposableStack()
let ask: { nobody: Ask; reader: Ask; writer: Ask }
let ids: Ids

beforeAll(async () => {
  const w = owned.use(await world())
  const tenant: Tenant = await w.tenant()
  ask = {
    nobody: requester(w.url, 'gha_nobody'),
    reader: requester(w.url, await tenant.tokenWith(['full_read_only'])),
    writer: requester(w.url, tenant.token),
  }
  ids = await plantOneOfEach(ask.writer, tenant, w)
})
afterAll(() => owned.disposeAsync())

const unusable = [
  { body: '{' },
  { body: 'x', headers: { 'content-type': 'text/plain' } },
  { body: `${'['.repeat(40)}${']'.repeat(40)}` },
]

async function expectFirst(who: Ask, { method }: Endpoint, path: string, type: string): Promise<void> {
  for (const wrong of unusable) {
    const { text } = await who({ method, path, ...wrong })
    expect(JSON.parse(text).type, `${method} ${path} ${wrong.body.slice(0, 3)}`).toBe(type)
  }
}

const taking = endpoints.filter(({ body }) => body !== undefined)

describe.each(taking.map(endpoint => [endpoint.id, endpoint] as const))('%s', (_id, endpoint) => {
  const at = (idFor: (name: string) => string) => fillPath(endpoint.path, idFor)
  const isRecord = (name: string) => name !== 'action_id' && name !== 'product_id'

  test('says first who may not', async () => {
    const path = at(name => ids[kindOf(name)])
    await expectFirst(ask.nobody, endpoint, path, 'unauthenticated')
    if (endpoint.scope === 'write' && !endpoint.resource.owned_by_application)
      await expectFirst(ask.reader, endpoint, path, 'permission_denied')
  })

  test('says what is not there before what is wrong with the body', async () => {
    if (!endpoint.params.some(({ name }) => isRecord(name))) return
    const path = at(name => (isRecord(name) ? neverId(kindOf(name)) : 'open'))
    await expectFirst(ask.writer, endpoint, path, 'not_found')
  })
})
