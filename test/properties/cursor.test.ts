import { parseListQuery, type Query, type Resource, resources } from '@gatehouse-access/api'
import { expect, test } from 'vitest'
import { readCursor, writeCursor } from '../../packages/server/src/store/cursor.ts'
import type { Reach } from '../../packages/server/src/store/where.ts'
import { neverId } from './one-of-each.ts'

const { member, member_email } = resources
const reach: Reach = { organization_id: neverId('organization') }
const position = { value: '2026-11-14T09:30:00.123456Z', id: neverId('member') }

function write(query: Query): string {
  return writeCursor(member, reach, parseListQuery(member, query), position)
}

function read(cursor: string, query: Query, resource: Resource = member, by: Reach = reach) {
  return readCursor(resource, by, { ...parseListQuery(resource, query), cursor })
}

test('a cursor carries the whole sort value, to the microsecond', () => {
  expect(read(write({}), {})).toMatchObject(position)
})

test('limit and expand may change from page to page, the order of the filters too', () => {
  const filters = { external_id: 'a', 'metadata.b': 'c' }
  const other = { 'metadata.b': 'c', external_id: 'a', limit: '7', expand: 'emails' }
  expect(read(write(filters), other)).toMatchObject(position)
})

test.each<[string, Query]>([
  ['another sort', { sort: 'starts_at:desc' }],
  ['the other direction', { sort: 'created_at:asc' }],
  ['a search', { q: 'a' }],
  ['deleted ones', { is_deleted: 'any' }],
  ['another filter', { external_id: 'a' }],
  ['a metadata filter', { 'metadata.a': 'a' }],
])('it is bound: not for %s', (_name, query) => {
  expect(() => read(write({}), query)).toThrow(/belongs to another endpoint, sort or filter/)
  expect(() => read(write(query), {})).toThrow(/cursor/)
})

test('it is bound to its endpoint and to the parent in the path', () => {
  expect(() => read(write({}), {}, member_email)).toThrow(/belongs to another/)
  const [one, other] = [0, 1].map(number => ({
    ...reach,
    parent: { field: 'member_id', id: neverId('member', number) },
  })) as [Reach, Reach]
  const cursor = writeCursor(member_email, one, parseListQuery(member_email, {}), position)
  expect(read(cursor, {}, member_email, one)).toMatchObject(position)
  expect(() => read(cursor, {}, member_email, other)).toThrow(/belongs to another/)
})

test.each(['', 'x', '{}', '[]', '[1,2,3]', '["a",null,"b"]', '["a","x","\\u0000"]', '["a",{},"b"]', 'null'])(
  '%s is no cursor',
  text => {
    expect(() => read(Buffer.from(text).toString('base64url'), {})).toThrow(/cursor/)
  },
)
