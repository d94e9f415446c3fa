import { expect, test } from 'vitest'
import { parseListQuery, type Query, resources } from '../src/index.ts'

function parse(query: Query) {
  return parseListQuery(resources.member, query)
}

test('the defaults', () => {
  expect(parse({})).toEqual({
    limit: 20,
    sort: { field: 'created_at', direction: 'desc' },
    cursor: undefined,
    q: undefined,
    is_deleted: false,
    conditions: [],
    expand: {},
    with_count: false,
  })
  expect(parseListQuery(resources.product, {}).sort).toEqual({ field: 'id', direction: 'desc' })
})

test('filters are found by name and read by their type', () => {
  const { conditions } = parse({
    'starts_at:ge': '2026-01-01T00:00:00+01:00',
    email: 'A@B',
    'metadata.a.b': 'x',
  })
  expect(conditions.map(({ filter, value }) => [filter.path, filter.operator, value])).toEqual([
    ['starts_at', 'ge', '2025-12-31T23:00:00.000000Z'],
    ['email', 'equal', 'a@b'],
    ['metadata.a.b', 'equal', 'x'],
  ])
})

test.each<[Query, string, RegExp]>([
  [{ limit: '0' }, 'limit', /integer from 1 to 100, not "0"/],
  [{ limit: '101' }, 'limit', /1 to 100/],
  [{ limit: '' }, 'limit', /1 to 100/],
  [{ limit: ['1', '1'] }, 'limit', /more than once/],
  [{ sort: 'name' }, 'sort', /followed by :asc or :desc/],
  [{ sort: 'name:up' }, 'sort', /:asc or :desc/],
  [{ sort: 'metadata:asc' }, 'sort', /one of id, name/],
  [{ is_deleted: 'yes' }, 'is_deleted', /true, false or any/],
  [{ nonsense: '1' }, 'nonsense', /unknown query parameter nonsense; allowed are: cursor, limit/],
  [{ created_at: '2026-01-01T00:00:00Z' }, 'created_at', /unknown/],
  [{ 'created_at:gt': 'today' }, 'created_at:gt', /ISO 8601/],
  [{ 'metadata.': 'x' }, 'metadata.', /unknown/],
  [{ 'metadata.a': '\0' }, 'metadata.a', /without NUL/],
  [{ q: 'x'.repeat(256) }, 'q', /at most 255/],
  [JSON.parse('{"__proto__": "x"}'), '__proto__', /unknown query parameter __proto__/],
  [{ constructor: 'x' } as unknown as Query, 'constructor', /unknown/],
])('%o is refused', (query, field, message) => {
  expect(() => parse(query)).toThrow(
    expect.objectContaining({ args: { field }, message: expect.stringMatching(message) }),
  )
})
