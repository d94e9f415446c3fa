import { invalid } from '../errors.ts'
import type { ExpandTree } from '../kit/expand.ts'
import type { Resource } from '../kit/resource.ts'
import { isStorable } from '../kit/scalars.ts'
import { clip, show } from '../kit/type.ts'
import { parseExpand } from './expands.ts'
import { type Condition, filtersOf, findFilter, isAnswered, parseCondition } from './filters.ts'

export type Query = { readonly [name: string]: string | readonly string[] | undefined }

export interface Sort {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

export interface ListQuery {
  readonly limit: number
  readonly sort: Sort
  readonly cursor: string | undefined
  readonly q: string | undefined
  readonly is_deleted: boolean | 'any'
  readonly conditions: readonly Condition[]
  readonly expand: ExpandTree
  /** Whether the answer says how many objects there are. */
  readonly with_count: boolean
}

export const defaultLimit = 20
export const maxLimit = 100
/** Nobody reads further, and counting costs as much as there is. */
export const mostCounted = 10_000

const common = ['cursor', 'limit', 'sort', 'expand']

/** Parses and checks the query of a list. Unknown and repeated parameters are rejected by name. */
export function parseListQuery(resource: Resource, query: Query): ListQuery {
  const single = singleValues(query)
  const conditions: Condition[] = []
  for (const [name, value] of Object.entries(single)) {
    if (isCommon(resource, name)) continue
    const filter = findFilter(resource, name)
    if (!filter) throw unknownParameter(name, listParameters(resource))
    conditions.push(parseCondition(filter, value))
  }
  return {
    limit: parseLimit(single.limit),
    sort: parseSort(resource, single.sort),
    cursor: single.cursor,
    q: parseSearch(single.q),
    is_deleted: parseDeleted(single.is_deleted),
    conditions,
    expand: parseExpand(resource, expandNames(single.expand)),
    with_count: parseCount(single.with_count),
  }
}

function isCommon(resource: Resource, name: string): boolean {
  if (name === 'q') return resource.search !== undefined
  if (name === 'is_deleted') return 'is_deleted' in resource.fields
  if (name === 'with_count') return isCounted(resource)
  return common.includes(name)
}

/** Those of a webhook come and go, and nobody asks how many there are. */
export function isCounted({ kind, fields }: Resource): boolean {
  return 'is_deleted' in fields || kind === 'event'
}

export function listParameters(resource: Resource): string[] {
  const own = ['q', 'is_deleted', 'with_count'].filter(name => isCommon(resource, name))
  const metadata = resource.fields.metadata ? ['metadata.<key>'] : []
  return [...common, ...own, ...filtersOf(resource).keys(), ...metadata]
}

/** Parses the query of an endpoint that is not a list. Only its declared parameters are allowed. */
export function parsePlainQuery(allowed: readonly string[], query: Query): Record<string, string> {
  const single = singleValues(query)
  for (const name of Object.keys(single)) if (!allowed.includes(name)) throw unknownParameter(name, allowed)
  return single
}

function singleValues(query: Query): Record<string, string> {
  // No prototype, because a parameter can be named __proto__.
  const single: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string')
      throw invalid(clip(name), `query parameter ${clip(name)} is given more than once`)
    single[name] = value
  }
  return single
}

function unknownParameter(name: string, allowed: readonly string[]) {
  return invalid(
    clip(name),
    `unknown query parameter ${clip(name)}; allowed are: ${allowed.join(', ') || 'none'}`,
  )
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return defaultLimit
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > maxLimit)
    throw invalid('limit', `limit must be an integer from 1 to ${maxLimit}, not ${show(text)}`)
  return limit
}

export function sortsOf(resource: Resource): string[] {
  const fields = Object.entries(resource.fields).filter(([, field]) => field.sort && isAnswered(field))
  return [...fields.map(([name]) => name), ...(resource.metadata_sorts ?? []).map(key => `metadata.${key}`)]
}

/** The field that lists are sorted by, newest first, if they ask for no sort. */
export function usualSort({ fields, usual_sort }: Resource): string {
  return usual_sort ?? (fields.created_at ? 'created_at' : 'id')
}

/** Exports are sorted by the time, oldest first. Events by that of recording, in which they come. */
export function exportSort(resource: Resource): string {
  return resource.kind === 'event' ? 'recorded_at' : usualSort(resource)
}

function parseSort(resource: Resource, text: string | undefined): Sort {
  if (text === undefined) return { field: usualSort(resource), direction: 'desc' }
  const split = text.lastIndexOf(':')
  const [field, direction] = [text.slice(0, split), text.slice(split + 1)]
  const sorts = sortsOf(resource)
  if (split < 0 || !sorts.includes(field) || (direction !== 'asc' && direction !== 'desc'))
    throw invalid(
      'sort',
      `sort must be one of ${sorts.join(', ')} followed by :asc or :desc, not ${show(text)}`,
    )
  return { field, direction }
}

function parseSearch(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (text.length > 255 || !isStorable(text))
    throw invalid('q', `q must be text of at most 255 characters, not ${show(text)}`)
  return text
}

function parseDeleted(text: string | undefined): boolean | 'any' {
  if (text === undefined || text === 'false') return false
  if (text === 'true') return true
  if (text === 'any') return 'any'
  throw invalid('is_deleted', `is_deleted must be true, false or any, not ${show(text)}`)
}

function parseCount(text: string | undefined): boolean {
  if (text === undefined || text === 'false') return false
  if (text === 'true') return true
  throw invalid('with_count', `with_count must be true or false, not ${show(text)}`)
}

export function expandNames(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split(',')
}
