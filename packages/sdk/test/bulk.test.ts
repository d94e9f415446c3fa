import { type BulkOperation, createClient } from '@gatehouse-access/sdk'
import { expect, test } from 'vitest'

interface Sent {
  readonly operations: BulkOperation[]
  readonly atomic?: boolean
}

function recording() {
  const sent: Sent[] = []
  const keys: (string | null)[] = []
  const answer = async (_url: unknown, init?: RequestInit) => {
    const body: Sent = JSON.parse(String(init?.body))
    const first = sent.reduce((count, { operations }) => count + operations.length, 0)
    sent.push(body)
    keys.push(new Headers(init?.headers).get('idempotency-key'))
    const results = body.operations.map(({ id = null }, at) => ({
      id,
      status: 200,
      body: { id: `mem_${first + at}` },
      headers: {},
    }))
    return Response.json({ results })
  }
  const client = createClient({ base_url: 'http://localhost/v2', token: 'x', fetch: answer as typeof fetch })
  return { client, sent, keys }
}

const member = (id?: string): BulkOperation => ({
  ...(id && { id }),
  method: 'POST',
  path: '/members',
  body: {},
})

test('any number of operations is sent a hundred at a time, each part with a key of its own', async () => {
  const { client, sent, keys } = recording()
  const results = await client.bulk(
    Array.from({ length: 250 }, () => member()),
    { idempotency_key: 'k' },
  )
  expect(sent.map(({ operations }) => operations.length)).toEqual([100, 100, 50])
  expect(keys).toEqual(['k', 'k-1', 'k-2'])
  expect(results.at(-1)?.body).toEqual({ id: 'mem_249' })
})

test('large operations are divided by their size, and an atomic bulk never', async () => {
  const large: BulkOperation = { ...member(), body: { name: 'é'.repeat(200_000) } }
  const { client, sent } = recording()
  await client.bulk([large, large, large])
  expect(sent.map(({ operations }) => operations.length)).toEqual([2, 1])
  await client.bulk([large, large, large], { atomic: true })
  expect(sent.at(-1)).toMatchObject({ atomic: true, operations: { length: 3 } })
})

test('references reach across requests, and those within one are left to the service', async () => {
  const { client, sent } = recording()
  await client.bulk([
    member('ada'),
    ...Array.from({ length: 99 }, () => member()),
    member('eve'),
    {
      method: 'POST',
      path: '/members/$ada.id/emails?expand=member',
      body: { a: ['$ada.id', '$eve.id', '$$ada.id'] },
    },
    { method: 'GET', path: '/members/$ada.idx' },
  ])
  expect(sent[1]?.operations.slice(1)).toEqual([
    {
      method: 'POST',
      path: '/members/mem_0/emails?expand=member',
      body: { a: ['mem_0', '$eve.id', '$$ada.id'] },
    },
    { method: 'GET', path: '/members/$ada.idx' },
  ])
})
