import { isSoak, manyOr, type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const size = manyOr(500)
const victims = size / 20
/** Keeps the number of pages at about 50 or more, even with few members. */
const limit = Math.min(100, Math.ceil(size / 50))
let w: World
let tenant: Tenant
let created = 0

beforeAll(async () => {
  w = await world()
})
afterAll(() => w[Symbol.asyncDispose]())

const orders = ['created_at', 'name', 'starts_at'].flatMap(field => [`${field}:desc`, `${field}:asc`])
/** All orders in `npm run soak`; in `npm test` the ones for one test, the others for the next. */
const inTurn = (turn: number) => orders.filter((_, index) => isSoak || index % 2 === turn)

describe(
  `pages over ${size} members with equal sort values, while others insert and delete`,
  within(120),
  () => {
    it.each(inTurn(0))('hold each member that stayed exactly once: sort=%s', async sort => {
      const rows = await plant()
      const deleted = rows.slice(0, victims)
      const seen = await pageDuring(`sort=${sort}`, deleted)
      expect(findRepeated(seen)).toEqual([])
      expect(missingFrom(seen, rows.slice(victims))).toEqual([])
    })

    it.each(inTurn(1))(
      'hold every member exactly once when deleted ones are shown too: sort=%s',
      async sort => {
        const rows = await plant()
        const seen = await pageDuring(`sort=${sort}&is_deleted=any`, rows.slice(0, victims))
        expect(findRepeated(seen)).toEqual([])
        expect(missingFrom(seen, rows)).toEqual([])
      },
    )
  },
)

/** Creates an organization whose members differ only in their ids, which are in random order. */
async function plant(): Promise<string[]> {
  tenant = await w.tenant()
  return insertMembers(size)
}

async function insertMembers(amount: number): Promise<string[]> {
  const rows = await w.server.context.db.query<{ id: string }>(
    `INSERT INTO members (id, organization_id, name, starts_at, tag_ids, is_deleted, created_at, metadata, search_text)
     SELECT 'mem_' || left(md5($1 || n), 20), $1, CASE n % 2 WHEN 0 THEN 'Same' END,
       CASE n % 3 WHEN 0 THEN '2026-11-14T09:30:00.123456Z'::timestamptz END,
       '{}', false, '2026-11-14T09:30:00.123456Z', '{}', '' FROM generate_series($2::integer, $3::integer) n RETURNING id`,
    [tenant.organization_id, created, created + amount - 1],
  )
  created += amount
  return rows.map(({ id }) => id)
}

/** Reads all pages while members are inserted throughout the order and the given ones deleted. */
async function pageDuring(query: string, deleted: readonly string[]): Promise<string[]> {
  const end = new AbortController()
  const churning = [insertSteadily(end.signal), deleteSteadily(deleted, end.signal)]
  try {
    return await readPages(query)
  } finally {
    end.abort()
    await Promise.all(churning)
  }
}

async function readPages(query: string): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await readPage(query, cursor)
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.cursor_next
  } while (cursor !== undefined)
  return seen
}

interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly cursor_next?: string
}

async function readPage(query: string, cursor: string | undefined): Promise<Page> {
  const answer = await call('GET', `members?limit=${limit}&${query}${cursor ? `&cursor=${cursor}` : ''}`)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Page
}

async function insertSteadily(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await insertMembers(5)
}

async function deleteSteadily(ids: readonly string[], signal: AbortSignal): Promise<void> {
  for (const id of ids) {
    if (signal.aborted) return
    expect((await call('DELETE', `members/${id}`)).status).toBe(200)
  }
}

function call(method: string, path: string): Promise<Response> {
  return fetch(`${w.url}/v2/${path}`, { method, headers: { authorization: `Bearer ${tenant.token}` } })
}

function findRepeated(ids: readonly string[]): string[] {
  const known = new Set<string>()
  return ids.filter(id => known.size === known.add(id).size)
}

function missingFrom(seen: readonly string[], ids: readonly string[]): string[] {
  const known = new Set(seen)
  return ids.filter(id => !known.has(id))
}
