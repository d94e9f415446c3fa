import { type Filter, filtersOf, type Kind, type Resource } from '@gatehouse-access/api'
import fc from 'fast-check'
import type { Database, Row } from '../../packages/server/src/database/db.ts'
import { filterTexts } from './filter-texts.ts'
import { type Ids, neverId } from './one-of-each.ts'

const count = 60

/**
 * Inserts copies of the existing row with random values in everything that filters use. Bypasses every check.
 */
export async function plantVariants(db: Database, resource: Resource, ids: Ids): Promise<void> {
  const [row] = await db.query<{ row: Row }>(
    `SELECT to_jsonb(t) AS row FROM ${resource.table} t WHERE id = $1`,
    [ids[resource.kind as Kind]],
  )
  const variants = fc.sample(anyChange(resource), count)
  await db.transaction(async inner => {
    await inner.query('SET LOCAL session_replication_role = replica')
    for (const [index, change] of variants.entries())
      await insert(inner, resource.table, {
        ...row?.row,
        ...asStored(row?.row ?? {}, change),
        id: neverId(resource.kind as Kind, index + 10),
      })
  })
}

async function insert(db: Database, table: string, { sequence: _, ...row }: Row): Promise<void> {
  const names = Object.keys(row).join(', ')
  await db.query(
    `INSERT INTO ${table} (${names}) SELECT ${names} FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`,
    [row],
    { prepare: false },
  )
}

/** Drops unique indexes, because random rows share values. */
export async function allowRepeats(db: Database): Promise<void> {
  const rows = await db.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indisunique AND NOT i.indisprimary AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)`,
  )
  for (const { name } of rows) await db.query(`DROP INDEX ${name}`)
}

/** Returns a value for each path that filters use. */
function anyChange(resource: Resource): fc.Arbitrary<Row> {
  const filters = [...filtersOf(resource).values()].filter(({ through, computed }) => !through && !computed)
  const byPath = new Map(filters.map(filter => [filter.path, filter]))
  for (const path of byPath.keys()) if (resource.fields[path]?.alias) byPath.delete(path)
  for (const kept of ['organization_id', `${resource.parent}_id`]) byPath.delete(kept)
  const values = [...byPath].map(([path, filter]): [string, fc.Arbitrary<unknown>] => [
    path,
    anyValue(filter, isNullable(resource, path)),
  ])
  return fc.record({
    ...Object.fromEntries(values),
    ...('is_deleted' in resource.fields && { is_deleted: fc.boolean() }),
    ...(resource.fields.metadata && {
      metadata: fc.dictionary(fc.constantFrom('a', 'b.c'), fc.constantFrom('x', 'y', '')),
    }),
  })
}

function isNullable({ fields }: Resource, path: string): boolean {
  return path.includes('.')
    ? path !== 'object.type' && path !== 'status.online'
    : fields[path]?.nullable === true
}

function anyValue(filter: Filter, nullable: boolean): fc.Arbitrary<unknown> {
  const text = fc.constantFrom(...filterTexts(filter))
  if (filter.operator === 'has_all') return fc.uniqueArray(text, { maxLength: 3 })
  const { each } = filter
  if (each)
    return fc.option(
      fc.uniqueArray(
        text.map(value => ({ [each]: value })),
        { maxLength: 3 },
      ),
    )
  if (filter.type.schema.type === 'boolean') return text.map(value => value === 'true')
  return nullable ? fc.option(text, { freq: 2 }) : text
}

/** `object.gadget_id` is a key inside the column `object`. */
function asStored(row: Row, change: Row): Row {
  const stored: Row = {}
  for (const [path, value] of Object.entries(change)) {
    const [column, key] = path.split('.') as [string, string?]
    if (key === undefined) stored[column] = value
    else stored[column] = { ...((stored[column] ?? row[column]) as Row), [key]: value }
  }
  return stored
}
