import {
  type ColumnsOf,
  type NewOf,
  type Resource,
  type StoredOf,
  touchesPolicy,
} from '@gatehouse-access/api'
import type { Row } from '../database/db.ts'
import { storedColumns } from './columns.ts'
import { tellChanges } from './edits/changes.ts'
import { reasonOf } from './edits/reasons.ts'
import { type EventDraft, logEvents } from './event-log.ts'
import { draftOf, type Write, withSearch } from './write.ts'

const batch = 500

/** Stores many new objects with an event each. Needs a transaction. */
export async function insertObjects<R extends Resource>(
  write: Write,
  resource: R,
  all: readonly NewOf<R>[],
): Promise<void> {
  for (let start = 0; start < all.length; start += batch)
    await logEvents(write.db, await insertUnlogged(write, resource, all.slice(start, start + batch)))
}

/** Stores new objects, a few hundred at most. Needs a transaction, in which the caller logs the events that it returns. */
export async function insertUnlogged<R extends Resource>(
  write: Write,
  resource: R,
  all: readonly NewOf<R>[],
): Promise<EventDraft[]>
export async function insertUnlogged(
  write: Write,
  resource: Resource,
  all: readonly Row[],
): Promise<EventDraft[]> {
  if (all.length === 0) return []
  const rows = all.map(row => withSearch(resource, row))
  const columns = storedColumns(resource, rows[0] ?? {})
  await write.db.query(
    `INSERT INTO ${resource.table} (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::${resource.table}, $1::jsonb)`,
    [rows.map(withBytes)],
  )
  return rows.map(row => draftOf(write.caller, write.now, resource, 'create', row))
}

/** JSON has no bytes: PostgreSQL reads them from hex. */
function withBytes(row: Row): Row {
  const bytes = Object.entries(row).filter(
    (entry): entry is [string, Uint8Array] => entry[1] instanceof Uint8Array,
  )
  if (bytes.length === 0) return row
  return {
    ...row,
    ...Object.fromEntries(bytes.map(([name, value]) => [name, `\\x${Buffer.from(value).toString('hex')}`])),
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
    const before = await write.db.query<Row & { readonly id: string }>(
      `UPDATE ${resource.table} t SET ${sets.join(', ')} FROM jsonb_populate_recordset(NULL::${resource.table}, $2::jsonb) f
       JOIN ${resource.table} o ON o.organization_id = $1 AND o.id = f.id
       WHERE t.organization_id = $1 AND t.id = f.id RETURNING ${['id', ...columns].map(name => `o.${name}`).join(', ')}`,
      [write.caller.organization_id, rows],
    )
    await logEdits(write, resource, columns, before, rows)
  }
}

async function logEdits(
  write: Write,
  resource: Resource,
  columns: readonly string[],
  all: readonly (Row & { readonly id: string })[],
  rows: readonly Row[],
): Promise<void> {
  const held = new Map(all.map(before => [before.id, before]))
  const drafts = rows.map(row => {
    const draft = draftOf(write.caller, write.now, resource, 'edit', row)
    const changed = Object.fromEntries(columns.map(name => [name, row[name]]))
    const before = held.get(String(row.id)) ?? {}
    const told = tellChanges(resource, before, changed)
    const reason = reasonOf(resource, before, changed)
    return {
      ...draft,
      touches_policy: touchesPolicy(resource, changed),
      object: { ...draft.object, ...(reason && { reason }), ...told },
    }
  })
  await logEvents(write.db, drafts)
}
