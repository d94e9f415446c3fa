import { type ListQuery, type Resource, type StoredOf, valueAt } from '@gatehouse-access/api'
import type { Database, Row } from '../database/db.ts'
import { asRead } from '../database/postgres/query.ts'
import { type AskedAfter, afterPosition, orderOf } from './after-position.ts'
import { boundShape, eventsByPlace, hideBeyond } from './bounds.ts'
import { finishRow, selectList } from './columns.ts'
import { type Position, readCursor, writeCursor } from './cursor.ts'
import { findEnd, isSought, soughtStatement } from './events/sought-events.ts'
import { type Bind, statementsByShape } from './statement.ts'
import {
  type Asked,
  filterConditions,
  filterShape,
  type Reach,
  reachConditions,
  whereClause,
} from './where.ts'

export interface Page<Item = Row> {
  data: Item[]
  has_next: boolean
  cursor_next?: string
  /** Where a search ended that found too little to fill the page: the value by which the list is sorted. */
  searched_to?: string
  /** If it was asked for. */
  count?: number | undefined
}

/**
 * Returns a keyset page: the rows after the cursor in the order (sort, id). Rows that persist are never
 * skipped or repeated, whatever is inserted or deleted in the meantime.
 */
export async function listObjects<R extends Resource>(
  db: Database,
  resource: R,
  reach: Reach,
  query: ListQuery,
): Promise<Page<StoredOf<R>>>
export async function listObjects(
  db: Database,
  resource: Resource,
  reach: Reach,
  query: ListQuery,
): Promise<Page<Listed>> {
  const position = readCursor(resource, reach, query)
  const end = await findEndOf(db, resource, reach, query, position)
  const { text, params } = listStatement(resource, reach, query, position, end)
  const rows = await db.query<Listed>(text, params, { ...asRead, prepare: query.conditions.length <= 2 })
  const finished = rows.slice(0, query.limit).map(finishRow(resource))
  const { bounds } = reach
  const data = bounds ? finished.map(row => hideBeyond(resource, bounds, row)) : finished
  const is_full = rows.length > query.limit
  const next = is_full ? placeOf(data.at(-1), query) : end
  if (!next) return { data, has_next: false }
  const page = { data, has_next: true, cursor_next: writeCursor(resource, reach, query, next) }
  return is_full ? page : { ...page, searched_to: String(next.value) }
}

function placeOf(last: Listed | undefined, { sort }: ListQuery): Position | undefined {
  return last && { value: valueAt(last, sort.field) ?? null, id: last.id }
}

/** The place where the page ends at the latest, if it has such a place: the list goes on behind it. */
async function findEndOf(
  db: Database,
  resource: Resource,
  reach: Reach,
  query: ListQuery,
  position: Position | undefined,
): Promise<Position | undefined> {
  if (!isSought(resource, query)) return undefined
  return findEnd(db, reach, query, shapeOf(resource, reach, query, position), position)
}

interface AskedCount extends Asked {
  readonly most: number
}

const counts = statementsByShape<AskedCount>()

/** Returns how many objects a list has, or `most` if there are as many or more. */
export async function countObjects(
  db: Database,
  resource: Resource,
  reach: Reach,
  query: ListQuery,
  most: number,
): Promise<number> {
  const { text, paramsOf } = counts(shapeOf(resource, reach, query, undefined), bind => {
    const isAny = query.is_deleted === 'any' || !('is_deleted' in resource.fields)
    const where = [
      ...reachConditions(bind, resource, reach),
      ...filterConditions(bind, resource, query, reach),
      ...(isAny ? [] : [`t.is_deleted = ${query.is_deleted}`]),
    ]
    const limit = bind(asked => asked.most, 'integer')
    return `SELECT count(*)::integer AS count FROM (SELECT 1 FROM ${resource.table} t${whereClause(where)} LIMIT ${limit}) AS found`
  })
  const rows = await db.query<{ count: number }>(text, paramsOf({ reach, query, most }), asRead)
  return rows[0]?.count ?? 0
}

type Listed = Row & { readonly id: string }

const statements = statementsByShape<AskedAfter>()

export function listStatement(
  resource: Resource,
  reach: Reach,
  query: ListQuery,
  position?: Position,
  end?: Position,
): { text: string; params: unknown[] } {
  const shape = shapeOf(resource, reach, query, position)
  if (isSought(resource, query)) return soughtStatement(reach, query, shape, position, end)
  const { text, paramsOf } = statements(shape, bind => writeList(bind, resource, reach, query, position))
  return { text, params: paramsOf({ reach, query, position }) }
}

export function shapeOf(
  { kind }: Resource,
  reach: Reach,
  query: ListQuery,
  position: Position | undefined,
): string {
  const { sort, limit, is_deleted, q, conditions } = query
  const after = position && (position.value === null ? 'null' : 'value')
  const order = `${sort.field} ${sort.direction} ${limit} ${is_deleted}`
  const filters = conditions.map(filterShape)
  return `${kind} ${reach.parent?.field} ${order} ${after} ${q !== undefined} ${filters}${boundShape(reach)}`
}

function writeList(
  bind: Bind<AskedAfter>,
  resource: Resource,
  reach: Reach,
  query: ListQuery,
  position: Position | undefined,
): string {
  const order = orderOf(resource, query)
  const isByPlace = reach.bounds && resource.kind === 'event'
  const where = [
    ...reachConditions(bind, resource, isByPlace ? { ...reach, bounds: undefined } : reach),
    ...filterConditions(bind, resource, query, reach),
    ...(position ? [afterPosition(bind, resource, query, position)] : []),
  ]
  // A literal, not a parameter: for a parameter, PostgreSQL assumes a tenth of all rows and therefore plans
  // anew each time, over every partition.
  const limit = query.limit + 1
  if (isByPlace) {
    const page = (extra: string[]) =>
      `SELECT t.* FROM ${resource.table} t${whereClause([...where, ...extra])} ${order} LIMIT ${limit}`
    return `SELECT ${selectList(resource)} FROM (${eventsByPlace(bind, page)}) t ${order} LIMIT ${limit}`
  }
  const select = (extra: string[]) =>
    `SELECT ${selectList(resource)} FROM ${resource.table} t${whereClause([...where, ...extra])} ${order} LIMIT ${limit}`
  return withDeletedState(resource, query, select)
}

/**
 * Every index leads with is_deleted, so that lists stay fast when many objects are deleted. For `any`, the
 * two states are read separately in order and merged.
 */
function withDeletedState(resource: Resource, query: ListQuery, select: (extra: string[]) => string): string {
  if (!('is_deleted' in resource.fields)) return select([])
  if (query.is_deleted !== 'any') return select([`t.is_deleted = ${query.is_deleted}`])
  const both = `(${select(['t.is_deleted = false'])}) UNION ALL (${select(['t.is_deleted = true'])})`
  return `SELECT * FROM (${both}) t ${orderOf(resource, query)} LIMIT ${query.limit + 1}`
}
