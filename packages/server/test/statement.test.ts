import { parseListQuery, resources } from '@gatehouse-access/api'
import { expect, test } from 'vitest'
import { listStatement } from '../src/store/list.ts'
import { makeStatement, statementsByShape } from '../src/store/statement.ts'

test('placeholders are numbered in the order of the text and read off the input', () => {
  const { text, paramsOf } = makeStatement<{ id: string; at: string }>(
    bind => `id = ${bind(({ id }) => id)} AND at < ${bind(({ at }) => at, 'timestamptz')}`,
  )
  expect(text).toBe('id = $1 AND at < $2::timestamptz')
  expect(paramsOf({ id: 'a', at: 'now' })).toEqual(['a', 'now'])
  expect(paramsOf({ id: 'b', at: 'then' })).toEqual(['b', 'then'])
})

test('a statement is written once for its shape, and forgotten when there are too many shapes', () => {
  const statements = statementsByShape<object>()
  let written = 0
  const ask = (shape: string) => statements(shape, () => `SELECT ${++written}`).text
  expect([ask('a'), ask('b'), ask('a')]).toEqual(['SELECT 1', 'SELECT 2', 'SELECT 1'])
  for (let index = 0; index < 1000; index++) ask(`other ${index}`)
  expect(ask('a')).toBe(`SELECT ${written}`)
  expect(written).toBe(1003)
})

test('lists that differ in values share a text; values, keys of metadata and organizations stay their own', () => {
  const list = (organization_id: string, query: Record<string, string>) =>
    listStatement(resources.member, { organization_id }, parseListQuery(resources.member, query))
  const first = list('org_a', { 'metadata.source': 'pms', q: 'Ann' })
  const second = list('org_b', { 'metadata.room': '12', q: 'Bo' })
  expect(second.text).toBe(first.text)
  expect(first.params).toEqual(['org_a', { source: 'pms' }, '%ann%'])
  expect(second.params).toEqual(['org_b', { room: '12' }, '% bo%'])
})

test('whatever changes the text of a list is part of its shape', () => {
  const text = (query: Record<string, string>, reach = {}) =>
    listStatement(
      resources.member_pin,
      { organization_id: 'org_a', ...reach },
      parseListQuery(resources.member_pin, query),
    ).text
  const parent = { field: 'member_id', id: 'mem_a' }
  const texts = [
    text({}),
    text({}, { parent }),
    text({ limit: '7' }),
    text({ sort: 'created_at:asc' }),
    text({ is_deleted: 'true' }),
    text({ is_deleted: 'any' }),
    text({ 'metadata.a': 'b' }),
    text({ 'created_at:gt': '2026-01-01T00:00:00Z' }),
    text({ 'created_at:lt': '2026-01-01T00:00:00Z' }),
  ]
  expect(new Set(texts).size).toBe(texts.length)
})
