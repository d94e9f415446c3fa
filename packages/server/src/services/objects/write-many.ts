import type { ColumnsOf, NewOf, Resource, StoredOf } from '@gatehouse-access/api'
import type { Row } from '../../database/db.ts'
import { storedColumns } from '../../store/columns.ts'
import { logEvents } from '../../store/event-log.ts'
import { draftOf, type Write, withSearch } from '../../store/write.ts'

const batch = 500

/** Stores many new objects with an event each. Needs a transaction. */
export async function insertObjects<R extends Resource>(
  write: Write,
  resource: R,
  all: readonly NewOf<R>[],
): Promise<void>
export async function insertObjects(write: Write, resource: Resource, all: readonly Row[]): Promise<void> {
  for (let start = 0; start < all.length; start += batch) {
    const rows = all.slice(start, start + batch).map(row => withSearch(resource, row))
    const columns = storedColumns(resource, rows[0] ?? {})
    await write.db.query(
      `INSERT INTO ${resource.table} (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::${resource.table}, $1::jsonb)`,
      [rows],
    )
    await logAll(write, resource, 'create', rows)
  }
}

/** Sets the same columns of many objects, each to its own values, with an event each. Needs a transaction. */
export async function updateObjects<R extends Resource>(
  write: Write,
  resource: R,
  columns: readonly (keyof ColumnsOf<R> & string)[],
  all: readonly StoredOf<R>[],
): Promise<void>
export async function updateObjects(
  write: Write,
  resource: Resource,
  columns: readonly string[],
  all: readonly Row[],
): Promise<void> {
  const isSearched = resource.search?.fields.some(name => columns.includes(name))
  const sets = [...columns, ...(isSearched ? ['search_text'] : [])].map(name => `${name} = f.${name}`)
  for (let start = 0; start < all.length; start += batch) {
    const rows = all.slice(start, start + batch).map(row => withSearch(resource, row))
    await write.db.query(
      `UPDATE ${resource.table} t SET ${sets.join(', ')} FROM jsonb_populate_recordset(NULL::${resource.table}, $2::jsonb) f
       WHERE t.organization_id = $1 AND t.id = f.id`,
      [write.caller.organization_id, rows],
    )
    await logAll(write, resource, 'edit', rows)
  }
}

async function logAll(
  write: Write,
  resource: Resource,
  verb: 'create' | 'edit',
  rows: readonly Row[],
): Promise<void> {
  await logEvents(
    write.db,
    rows.map(row => draftOf(write.caller, write.now, resource, verb, row)),
  )
}
