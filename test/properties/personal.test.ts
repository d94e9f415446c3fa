import { isColumn, personalOf, type Resource, resources } from '@gatehouse-access/api'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { personalColumns, personalOfColumn } from '../../packages/server/src/database/personal-columns.ts'
import { purposeOfTable } from '../../packages/server/src/database/purposes.ts'
import { holdings } from '../../packages/server/src/erasing/holdings.ts'
import { listProcessing } from '../../packages/server/src/services/privacy/processing.ts'

let w: World
let columns: { table: string; column: string; type: string }[]

beforeAll(async () => {
  w = await world()
  columns = await w.server.context.db.query<(typeof columns)[number]>(
    `SELECT c.relname::text AS table, a.attname::text AS column, format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND format_type(a.atttypid, a.atttypmod) IN ('text', 'text[]', 'jsonb', 'json', 'bytea')`,
  )
})
afterAll(() => w[Symbol.asyncDispose]())

const declared = new Map(
  Object.values<Resource>(resources)
    .filter(({ fields }) => 'id' in fields)
    .map(resource => [resource.table, resource]),
)

function answerOf({ table, column, type }: (typeof columns)[number]) {
  const field = declared.get(table)?.fields[column]
  return field && isColumn(field) ? personalOf(field) : personalOfColumn(table, column, type)
}

test('every column of text, JSON or bytes says what it is to a person', () => {
  expect(columns.length).toBeGreaterThan(200)
  const silent = columns.filter(column => answerOf(column) === undefined)
  expect(silent.map(({ table, column }) => `${table}.${column}`)).toEqual([])
})

test('every field that is computed says it, too', () => {
  const silent = Object.values<Resource>(resources).flatMap(({ kind, fields, reveals = {} }) =>
    Object.entries({ ...fields, ...reveals })
      .filter(([, field]) => personalOf(field) === undefined)
      .map(([name]) => `${kind}.${name}`),
  )
  expect(silent).toEqual([])
})

test('the list names only columns that exist', () => {
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  const listed = Object.entries(personalColumns).flatMap(([table, classes]) =>
    Object.keys(classes).map(column => `${table}.${column}`),
  )
  expect(listed.filter(name => !known.has(name))).toEqual([])
})

test('every table with personal data has a purpose, and no other', () => {
  const listed = listProcessing().map(({ data }) => data)
  expect(listed.filter(table => !(table in purposeOfTable))).toEqual([])
  expect(Object.keys(purposeOfTable).filter(table => !listed.includes(table))).toEqual([])
})

test('for every table that can hold a member somebody has decided what an erasure does to it', () => {
  const isPersonal = (column: (typeof columns)[number]) =>
    !['secret', null].includes(answerOf(column) ?? null)
  const held = columns.filter(column => isPersonal(column) || column.column === 'member_id')
  // What the erasure itself leaves, and what goes within the minute.
  const undecided = new Set(held.map(({ table }) => table)).difference(new Set(Object.keys(holdings)))
  expect([...undecided].sort()).toEqual(['erasures', 'ledger_erasures'])
  const known = new Set(columns.map(({ table }) => table))
  expect(Object.keys(holdings).filter(table => !known.has(table))).toEqual([])
})
