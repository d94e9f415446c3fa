import { join } from 'node:path'
import { cloneDatabase } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Column } from '../../packages/server/src/database/postgres/wire/rows.ts'
import type { Claim, Claims } from './statements/claims.ts'
import { Describer } from './statements/describer.ts'
import { heard } from './statements/heard.ts'
import { readStatements, type Statement } from './statements/read-statements.ts'
import { recordTexts } from './statements/recorder.ts'
import { shapeOf } from './statements/shapes.ts'

/** Statements that are neither read from the source nor recorded at run time, and why. */
const unchecked: { readonly [name: string]: string } = {
  'backup/folder/tables.ts countRows': 'counts the tables that it finds in the database',
  'backup/logical/load.ts run': 'changes the tables that it finds in the database, and reads no column',
  'database/epochs.ts withEpochs': 'hands on what it is given',
  'database/event-indexes.ts attachSoon': 'attaches the index of a partition, and reads no column',
  'database/event-indexes.ts indexAll': 'builds the indexes that it finds missing, and reads no column',
  'database/event-indexes.ts indexSmall': 'builds the indexes that it finds missing, and reads no column',
  'database/narrow.ts narrow': 'hands on what it is given',
  'database/session.ts #end': 'ends a transaction',
  'database/session.ts transaction': 'begins a transaction as it is told',
  'erasing/erase-fields.ts eraseFields': 'empties the columns that the declaration names, and reads none',
  'erasing/erase-rows.ts countRows': 'counts the rows that the list of holdings names',
  'erasing/erase-rows.ts eraseRows': 'erases the rows that the list of holdings names, and counts them',
  'erasing/statistics.ts refreshStatistics': 'takes the tables of the same list, and reads no column',
  'monitoring/traced-pool.ts traceDatabase': 'hands on what it is given',
  'moving/about.ts countTable': 'counts the tables that move',
  'services/calendars/held-days.ts readHeldDays': 'reads the columns that the declaration names',
  'services/erasures/end-imports.ts keysOf': 'asks by one of four keys, each of which a test of imports uses',
  'services/exports/row-writer.ts metadataKeys':
    'reads the keys of metadata, which every table that it is asked for has',
  'recovery/scrub.ts scrub': 'takes the tables of the same list, and reads no column',
  'services/erasures/change-erasure.ts noteErasure': 'writes the columns that it is given, and reads none',
  'services/imports/keep-statistics.ts tend':
    'takes statistics of the tables that it names, and reads no column',
  'services/imports/members/apply-members.ts deleteChildren': 'sets a flag, and reads no column',
  'services/imports/members/held-members.ts findIds':
    'asks by one of four keys, each of which a test of imports uses',
  'services/imports/members/held-members.ts living': 'reads the columns that the declaration names',
  'services/imports/members/known-names.ts findNamed': 'reads id and name, which all three tables have',
  'services/imports/members/restore-children.ts restore': 'reads the columns that the declaration names',
  'services/imports/object-twins.ts findTwin': 'reads an id, by the kind of the row',
  'services/imports/sync-deletes.ts readMembers':
    'asks by one of four keys, each of which a test of imports uses',
  'services/imports/world-moved.ts keysOfChanged':
    'asks by one of four keys, each of which a test of imports uses',
  'services/keys/key-rotation.ts storeFresh':
    'is asked only with secrets that were read, and reads no column',
  'services/objects/credentials.ts holdLivingParent': 'reads is_deleted, which every table of objects has',
  'services/objects/history.ts listHistory': 'reads the columns of events that the declaration names',
  'services/organizations/remove-rows.ts empty':
    'takes the tables that it finds in the database, and reads no column',
  'services/privacy/retention/partitions.ts dropIfEmpty': 'drops a month that it finds in the database',
  'services/privacy/retention/partitions.ts isEmpty':
    'asks for a row of a month that it finds in the database, and reads no column',
  'store/find.ts lockObjects': 'reads the columns that the declaration names',
  'store/migration/migrate.ts applyMigration':
    'runs the migrations, which the database of this test has come through',
  'store/migration/try-migrations.ts inCopy': 'makes a schema with a name of its own, and reads no column',
  'store/write-many.ts insertUnlogged': 'writes the columns that the declaration names, and reads none',
  'store/write-many.ts updateObjects': 'writes the columns that it is given, and reads the same',
}

const root = join(import.meta.dirname, '../..')
const owned = new AsyncDisposableStack()
let describer: Describer
let statements: Statement[]

beforeAll(async () => {
  const { url } = owned.use(await cloneDatabase(inject('databases')))
  describer = owned.use(await Describer.open(url))
  statements = readStatements(root)
})
afterAll(() => owned.disposeAsync())

test('every statement is read off the source, heard at run time, or listed here', () => {
  const silent = statements.filter(({ name, texts }) => texts.length === 0 && !heard[name])
  expect([...new Set(silent.map(({ name }) => name))].sort()).toEqual(Object.keys(unchecked).sort())
})

test('every statement answers the columns that the code claims of it', async () => {
  const faults: string[] = []
  for (const { name, texts, claims } of statements.filter(({ name }) => !heard[name]))
    for (const text of texts) faults.push(...(await findFaults(name, text, claims)))
  expect(faults).toEqual([])
})

/** ORDER BY prefers an output column: `id::text AS id … ORDER BY id` sorts as text, "10" before "9". */
test('no statement sorts by the text of what it means to sort', () => {
  const faults = statements.flatMap(({ name, texts }) =>
    texts.flatMap(text => textsSortedBy(text).map(column => `${name} sorts by the text of ${column}`)),
  )
  expect(faults).toEqual([])
})

function textsSortedBy(text: string): string[] {
  const order = [...text.matchAll(/ORDER BY\s+(.*?)(?:LIMIT|FOR UPDATE|\)|$)/gs)].map(([, list]) => list)
  return [...text.matchAll(/(\w+)::text AS \1\b/g)].flatMap(([, column = '']) =>
    order.some(list => new RegExp(`(?<![.\\w])${column}\\b`).test(list ?? '')) ? [column] : [],
  )
}

test('what is put together at run time answers the columns of its declaration', async () => {
  const faults: string[] = []
  for (const [name, hearings] of Object.entries(heard))
    for (const { run, only = /(?:)/, claims } of hearings) {
      const texts = (await recordTexts(run)).filter(text => only.test(text))
      if (texts.length === 0) faults.push(`${name} asked for nothing`)
      for (const text of new Set(texts)) faults.push(...(await findLeast(name, text, claims)))
    }
  expect(faults).toEqual([])
})

/** Several statements of one function are recorded together. Each must match the type of one of them. */
async function findLeast(name: string, text: string, declared: Claims | undefined): Promise<string[]> {
  const own = statements.filter(statement => statement.name === name).map(({ claims }) => claims)
  let least = [`${name} is no statement of the service`]
  for (const claims of declared ? [declared] : own) {
    least = await findFaults(name, text, claims)
    if (least.length === 0) break
  }
  return least
}

/** Returns where PostgreSQL's description of a statement differs from the code. */
async function findFaults(name: string, text: string, claims: Statement['claims']): Promise<string[]> {
  const answer = await describer.describe(text)
  if (answer instanceof Error) return [`${name}: ${answer.message}, in ${text}`]
  if (!claims) return []
  const columns = new Map(answer.map(column => [column.name, column]))
  const wrong = [...claims.columns].flatMap(([name, claim]) => compare(name, claim, columns.get(name)))
  const unclaimed = [...columns.keys()].filter(name => !claims.is_open && !claims.columns.has(name))
  return [...wrong, ...unclaimed.map(column => `${column} is read, and the type does not have it`)].map(
    fault => `${name}: ${fault}`,
  )
}

function compare(name: string, { shapes, is_optional }: Claim, column: Column | undefined): string[] {
  if (!column) return is_optional ? [] : [`${name} is in the type, and is not read`]
  const shape = shapeOf(column)
  const isRight = shape === 'json' || shapes.every(claimed => claimed === shape || claimed === 'anything')
  return isRight ? [] : [`${name} is ${shapes.join(' or ')} by its type, and ${shape} as it is read`]
}
