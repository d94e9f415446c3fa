import { cloneDatabase } from '@gatehouse-access/testkit'
import { expect, inject, test } from 'vitest'
import { readTables } from '../src/backup/logical/schema.ts'
import { connect } from '../src/database/db.ts'
import { columnsOf, early, late, others } from '../src/moving/tables.ts'
import { everySealed } from '../src/services/keys/key-rotation.ts'
import { listTables } from '../src/services/organizations/remove-rows.ts'

test('for every table of an organization somebody has decided whether its rows move', async () => {
  await using owned = new AsyncDisposableStack()
  const db = owned.use(connect({ url: owned.use(await cloneDatabase(inject('databases'))).url }, 1))
  const decided = [...early, ...late.filter(name => name !== 'organizations'), ...Object.keys(others)]
  expect(decided.sort()).toEqual(await listTables(db))
  const columns = new Map((await readTables(db)).map(table => [table.name, table.columns]))
  for (const { table, column } of everySealed)
    if ([...early, ...late].some(name => name === table))
      expect(columnsOf(table as 'webhooks', columns.get(table) ?? [])).toContain(column)
})
