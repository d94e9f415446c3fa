import { hash } from 'node:crypto'
import { invalid, isStorable, type ListQuery, type Resource } from '@gatehouse/api'
import { parseTimestamp } from '@gatehouse/core'
import { sortCast } from './columns.ts'
import type { Reach } from './where.ts'

/** Where a page ended: the sort value and id of its last row. */
export interface Position {
  readonly value: string | number | null
  readonly id: string
}

/** A cursor is bound to endpoint, sort and filters by a digest of them. */
function fingerprint(
  resource: Resource,
  reach: Reach,
  { sort, q, is_deleted, conditions }: ListQuery,
): string {
  const filters = conditions.map(({ filter, value }) => [filter.name, value]).sort()
  const bound = [resource.kind, reach.parent?.id, sort.field, sort.direction, q, is_deleted, filters]
  return hash('sha256', JSON.stringify(bound), 'base64url').slice(0, 12)
}

export function writeCursor(
  resource: Resource,
  reach: Reach,
  query: ListQuery,
  { value, id }: Position,
): string {
  return Buffer.from(JSON.stringify([fingerprint(resource, reach, query), value, id])).toString('base64url')
}

export function readCursor(resource: Resource, reach: Reach, query: ListQuery): Position | undefined {
  if (query.cursor === undefined) return undefined
  const position = decode(query.cursor)
  if (!position || !isValue(sortCast(resource, query.sort.field), position.value))
    throw invalid('cursor', 'cursor must be the cursor_next of an earlier answer')
  if (position.bound !== fingerprint(resource, reach, query))
    throw invalid('cursor', 'cursor belongs to another endpoint, sort or filter; begin again without it')
  return position
}

function decode(cursor: string): (Position & { bound: string }) | undefined {
  try {
    const [bound, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return typeof id === 'string' && isStorable(id) ? { bound, value, id } : undefined
  } catch {
    return undefined
  }
}

function isValue(type: string, value: unknown): boolean {
  if (value === null) return true
  if (type === 'integer') return Number.isInteger(value)
  if (typeof value !== 'string' || !isStorable(value)) return false
  return type === 'text' || parseTimestamp(value) === value
}
