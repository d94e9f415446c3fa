import { hash } from 'node:crypto'
import { invalid, isStorable, type ListQuery, type Resource } from '@gatehouse-access/api'
import { parseTimestamp } from '@gatehouse-access/core'
import { sortCast } from './columns.ts'
import type { Reach } from './where.ts'

/** Where a page ended: the sort value and id of its last row. */
export interface Position {
  readonly value: unknown
  readonly id: string
}

/** Encodes a cursor with a digest of what it is bound to: endpoint, sort and filters. */
export function sealCursor(bound: readonly unknown[], payload: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([digestOf(bound), ...payload])).toString('base64url')
}

/** Returns the payload of a cursor. Throws if it is malformed or bound to something else. */
export function openCursor(bound: readonly unknown[], cursor: string): unknown[] {
  const [digest, ...payload] = decode(cursor)
  if (typeof digest !== 'string') throw noCursor()
  if (digest !== digestOf(bound))
    throw invalid('cursor', 'cursor belongs to another endpoint, sort or filter; start again without it')
  return payload
}

const digests = new Map<string, string>()

// Cached, because most pages share their parameters and hashing is the largest cost of a cursor.
function digestOf(bound: readonly unknown[]): string {
  const text = JSON.stringify(bound)
  const known = digests.get(text)
  if (known) return known
  const digest = hash('sha256', text, 'base64url').slice(0, 12)
  if (digests.size >= 1000) digests.clear()
  digests.set(text, digest)
  return digest
}

function decode(cursor: string): unknown[] {
  try {
    const decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(decoded) ? decoded : []
  } catch {
    return []
  }
}

function noCursor() {
  return invalid('cursor', 'cursor must be the cursor_next of an earlier response')
}

function boundTo(
  resource: Resource,
  reach: Reach,
  { sort, q, is_deleted, conditions }: ListQuery,
): unknown[] {
  const filters = conditions.map(({ filter, value }) => [filter.name, value]).sort()
  return [resource.kind, reach.parent?.id, sort.field, sort.direction, q, is_deleted, filters]
}

export function writeCursor(
  resource: Resource,
  reach: Reach,
  query: ListQuery,
  { value, id }: Position,
): string {
  return sealCursor(boundTo(resource, reach, query), [value, id])
}

export function readCursor(resource: Resource, reach: Reach, query: ListQuery): Position | undefined {
  if (query.cursor === undefined) return undefined
  const [value, id] = openCursor(boundTo(resource, reach, query), query.cursor)
  const isWhole =
    typeof id === 'string' && isStorable(id) && isValue(sortCast(resource, query.sort.field), value)
  if (!isWhole) throw noCursor()
  return { value, id }
}

function isValue(type: string, value: unknown): boolean {
  if (value === null) return true
  if (type === 'integer') return Number.isInteger(value)
  if (typeof value !== 'string' || !isStorable(value)) return false
  return type === 'text' || parseTimestamp(value) === value
}
