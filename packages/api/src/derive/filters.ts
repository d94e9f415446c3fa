import { invalid } from '../errors.ts'
import type { Field } from '../kit/field.ts'
import type { Resource, Through } from '../kit/resource.ts'
import { flag, isStorable } from '../kit/scalars.ts'
import { clip, show, type Type } from '../kit/type.ts'

export const comparisons = ['gt', 'ge', 'lt', 'le'] as const
export type Operator = 'equal' | 'has_all' | (typeof comparisons)[number]

/** A filter of a list: its parameter name, the value of the object that it reads, and how it compares. */
export interface Filter {
  readonly name: string
  readonly path: string
  readonly operator: Operator
  readonly type: Type<unknown>
  readonly about: string
  readonly each?: string
  readonly through?: Through
  readonly computed?: true
  readonly or_none?: true
}

/** A filter with the requested value. All conditions of a list are ANDed. */
export interface Condition {
  readonly filter: Filter
  readonly value: unknown
  /** What the value stands for, if the service has to find that out first. */
  readonly found?: readonly string[]
}

const cache = new WeakMap<Resource, ReadonlyMap<string, Filter>>()

/** The filters of a list, by parameter name. Does not contain `metadata.<key>`, which is accepted as well. */
export function filtersOf(resource: Resource): ReadonlyMap<string, Filter> {
  const known = cache.get(resource)
  if (known) return known
  const filters = [...fieldFilters(resource), ...extraFilters(resource)]
  const byName = new Map(filters.map(filter => [filter.name, filter]))
  cache.set(resource, byName)
  return byName
}

function fieldFilters(resource: Resource): Filter[] {
  return Object.entries(resource.fields).flatMap(([name, field]) =>
    isAnswered(field) ? filtersOfField(name, field) : [],
  )
}

export function isAnswered(field: Field): boolean {
  return !field.body_only && !field.hidden
}

function filtersOfField(name: string, field: Field): Filter[] {
  const { type, about } = field
  if (name === 'id' || name === 'is_deleted') return []
  if (field.filter === 'compare') return compareFilters(name, type, about)
  if (name === 'tag_ids')
    return [
      {
        name,
        path: name,
        operator: 'has_all',
        type,
        about: 'Objects that have all of these comma-separated tags.',
      },
    ]
  if (field.filter === 'has_all')
    return [{ name, path: name, operator: 'has_all', type, about: `${about} All of these, by commas.` }]
  if (field.derive) return []
  if (field.filter === 'equal' || (type.column === 'text' && (type.target || type.choices)))
    return [{ name, path: name, operator: 'equal', type, about }]
  return []
}

function compareFilters(name: string, type: Type<unknown>, about: string, path = name): Filter[] {
  return comparisons.map(operator => ({ name: `${name}:${operator}`, path, operator, type, about }))
}

function extraFilters(resource: Resource): Filter[] {
  return Object.entries(resource.filters ?? {}).flatMap(
    ([name, { type, about, operator, path = name, each, through, computed, or_none }]) =>
      operator === 'compare'
        ? compareFilters(name, type, about, path)
        : [
            {
              name,
              path,
              operator,
              type,
              about,
              ...(each && { each }),
              ...(through && { through }),
              ...(computed && { computed }),
              ...(or_none && { or_none }),
            },
          ],
  )
}

/** Returns the filter with this name, including `metadata.<key>`; undefined when there is none. */
export function findFilter(resource: Resource, name: string): Filter | undefined {
  const known = filtersOf(resource).get(name)
  if (known || !name.startsWith('metadata.') || !resource.fields.metadata) return known
  if (name.length === 'metadata.'.length) return undefined
  return { name, path: name, operator: 'equal', type: metadataValue, about: 'Metadata value.' }
}

const metadataValue: Type<unknown> = {
  schema: { type: 'string' },
  column: 'text',
  parse(value, path) {
    if (typeof value === 'string' && isStorable(value) && isStorable(path)) return value
    throw invalid(clip(path), `${clip(path)} must be a string without NUL, not ${show(value)}`)
  },
}

/** Parses the text of a query parameter into a condition. */
export function parseCondition(filter: Filter, text: string): Condition {
  return { filter, value: parseText(filter, text) }
}

function parseText({ name, operator, type, or_none }: Filter, text: string): unknown {
  if (or_none && text === 'null') return null
  if (operator === 'has_all') return type.parse(text === '' ? [] : text.split(','), name)
  if (type.column === flag.column)
    return type.parse(text === 'true' ? true : text === 'false' ? false : text, name)
  return type.parse(text, name)
}
