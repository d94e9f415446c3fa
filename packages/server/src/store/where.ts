import {
  type Condition,
  type Filter,
  type ListQuery,
  type Resource,
  resourceOf,
  type Through,
} from '@gatehouse-access/api'
import { present } from '../flow/present.ts'
import { boundConditions } from './bounds.ts'
import type { Bounds } from './caller.ts'
import { sortExpression, tenantColumn } from './columns.ts'
import { computedExpression } from './computed-filters.ts'
import { searchPattern } from './search.ts'
import type { Bind } from './statement.ts'

/** The scope of a read: always one organization, sometimes also a parent, an application or some sites. */
export interface Reach {
  readonly organization_id: string
  readonly oauth_application_id?: string | undefined
  readonly parent?: { readonly field: string; readonly id: string } | undefined
  readonly bounds?: Bounds | undefined
}

/** The source of the parameter values of a list. */
export interface Asked {
  readonly reach: Reach
  readonly query: ListQuery
}

export function reachConditions(
  bind: Bind<{ readonly reach: Reach }>,
  resource: Resource,
  { parent, bounds }: Reach,
): string[] {
  const tenant = tenantColumn(resource)
  return [
    ...(tenant ? [`t.${tenant} = ${bind(({ reach }) => reach.organization_id)}`] : []),
    ...(parent ? [`t.${parent.field} = ${bind(({ reach }) => reach.parent?.id)}`] : []),
    ...(resource.owned_by_application
      ? [`t.oauth_application_id = ${bind(({ reach }) => reach.oauth_application_id ?? null)}`]
      : []),
    ...(resource.private_to_application ? [ofApplication(bind)] : []),
    ...(bounds ? boundConditions(bind, resource) : []),
  ]
}

/** Whoever is no application sees those of all. */
function ofApplication(bind: Bind<{ readonly reach: Reach }>): string {
  const application = bind(({ reach }) => reach.oauth_application_id ?? null, 'text')
  return `(${application} IS NULL OR (t.created_by->>'oauth_application_id') = ${application})`
}

/** Translates filters to SQL. `matches` in the api package evaluates the same filters in memory. */
export function filterConditions(
  bind: Bind<Asked>,
  resource: Resource,
  query: ListQuery,
  { bounds }: Pick<Reach, 'bounds'> = {},
): string[] {
  const conditions = query.conditions.map((_, index) => conditionAt(bind, resource, query, index, bounds))
  if (query.q !== undefined) conditions.push(searchCondition(bind, resource))
  return conditions
}

export function conditionAt(
  bind: Bind<Asked>,
  resource: Resource,
  query: ListQuery,
  index: number,
  bounds?: Bounds,
): string {
  const read = ({ query: { conditions } }: Pick<Asked, 'query'>) => present(conditions[index], 'a condition')
  const { filter, value, found } = read({ query })
  // As `hideBeyond` leaves out what was changed, so nobody can ask for it.
  if (bounds && filter.path === 'object.changes') return 'false'
  if (value === null) return `${equalExpression(filter.path)} IS NULL`
  return filterCondition(bind, resource, filter, {
    read,
    isBound: bounds !== undefined,
    isFound: found !== undefined,
  })
}

/**
 * Returns the part of a condition that its SQL depends on. A metadata key is bound as a value, because
 * clients choose it.
 */
export function filterShape({ filter, value, found }: Condition): string {
  if (value === null) return `${filter.name} null`
  if (found) return `${filter.name} found`
  return filter.path.startsWith('metadata.') ? 'metadata' : filter.name
}

interface Reading {
  /** Returns the condition with its values. */
  readonly read: (asked: Asked) => Condition
  readonly isBound: boolean
  readonly isFound: boolean
}

const symbols = { equal: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const

function filterCondition(bind: Bind<Asked>, resource: Resource, filter: Filter, reading: Reading): string {
  const { name, through, computed, path, operator, each } = filter
  const { read } = reading
  const readValue = (asked: Asked) => read(asked).value
  if (through) return throughCondition(bind, resource, { ...filter, through }, reading)
  if (computed) {
    const tenant = () => bind(({ reach }) => reach.organization_id)
    return `${computedExpression(`${resource.kind}.${name}`, tenant)} = ${bind(readValue)}`
  }
  if (path.startsWith('metadata.')) return `t.metadata @> ${bind(asked => metadataOf(read(asked)))}`
  if (each) {
    const [column, list] = path.split('.')
    const asked = bind(asked => [readValue(asked)], 'jsonb')
    return `(t.${column} ? '${list}' AND ${eachExpression(path, each)} @> ${asked})`
  }
  if (operator === 'has_all') return `t.${path} @> ${bind(readValue)}`
  if (operator === 'equal')
    return `${equalExpression(path)} = ${bind(asked => comparable(path, readValue(asked)))}`
  const compared = `${sortExpression(resource, path)} ${symbols[operator]} ${bind(readValue)}`
  const isLower = operator === 'lt' || operator === 'le'
  return isLower && resource.fields[path]?.nullable ? `(${compared} AND t.${path} IS NOT NULL)` : compared
}

function metadataOf({ filter, value }: Condition): Record<string, unknown> {
  return { [filter.path.slice('metadata.'.length)]: value }
}

export function equalExpression(path: string): string {
  const [column, key] = path.split('.')
  return key === undefined ? `t.${column}` : `(t.${column}->>'${key}')`
}

/** The values under a key of the objects in a list. The index is on this expression. */
export function eachExpression(path: string, key: string): string {
  const [column, list] = path.split('.')
  return `jsonb_path_query_array(t.${column}, '$.${list}[*].${key}')`
}

/** Values inside JSON are compared as text. */
function comparable(path: string, value: unknown): unknown {
  return path.includes('.') ? String(value) : value
}

function throughCondition(
  bind: Bind<Asked>,
  { kind }: Resource,
  { name, path, through }: ThroughFilter,
  reading: Reading,
): string {
  if (path !== name) return namedCondition(bind, { path, through }, reading)
  const { id, from } = childrenOf(bind, through, reading)
  if (!through.held_as) return `t.id IN (SELECT ${id} ${from})`
  const { table, parent } = resourceOf(through.held_as)
  const tenant = bind(({ reach }) => reach.organization_id)
  return `t.id IN (SELECT h.${kind}_id FROM ${table} h WHERE h.organization_id = ${tenant} AND h.is_claimed AND NOT h.is_deleted AND h.${parent}_id IN (SELECT ${id} ${from}))`
}

type ThroughFilter = Filter & { readonly through: Through }

/** Looks up row by row, because many can be named: `OFFSET 0` keeps PostgreSQL from reading them all beforehand. */
function namedCondition(
  bind: Bind<Asked>,
  { path, through }: Pick<ThroughFilter, 'path' | 'through'>,
  reading: Reading,
): string {
  const named = equalExpression(path)
  if (reading.isFound) return `${named} = ANY(${bind(asked => reading.read(asked).found, 'text[]')})`
  const { id, from } = childrenOf(bind, through, reading)
  return `EXISTS (SELECT ${from} AND ${id} = ${named} OFFSET 0)`
}

/** The children that a filter is about, and which of their columns says whom it finds: their parents, or also deleted ones of a kind without. */
export function childrenOf(
  bind: Bind<Asked>,
  through: Through,
  { read, isBound }: Pick<Reading, 'read' | 'isBound'>,
  compare = (column: string, value: string) => `${column} = ${value}`,
): { readonly id: string; readonly from: string } {
  const resource = resourceOf(through.kind)
  const { table, parent, fields } = resource
  const tenant = bind(({ reach }) => reach.organization_id)
  const value = through.reaches
    ? `ANY(${bind(asked => read(asked).found ?? [], 'text[]')})`
    : bind(asked => read(asked).value)
  const isList = fields[through.column]?.type.column === 'text[]'
  const where = [
    `c.organization_id = ${tenant}`,
    isList ? `c.${through.column} @> ARRAY[${value}]` : compare(`c.${through.column}`, value),
    ...(parent ? ['NOT c.is_deleted'] : []),
    ...(isBound ? boundConditions(bind, resource).map(text => text.replaceAll(/\bt\./g, 'c.')) : []),
  ]
  return { id: parent ? `c.${parent}_id` : 'c.id', from: `FROM ${table} c${whereClause(where)}` }
}

function searchCondition(bind: Bind<Asked>, resource: Resource): string {
  const readPattern = ({ query }: Asked) => searchPattern(query.q ?? '')
  if (!resource.search?.through) return `t.search_text LIKE ${bind(readPattern)}`
  const { table } = resourceOf(resource.search.through)
  const tenant = bind(({ reach }) => reach.organization_id)
  const by = resource.search.fields[0]
  return `t.${by} IN (SELECT c.id FROM ${table} c WHERE c.organization_id = ${tenant} AND c.search_text LIKE ${bind(readPattern)})`
}

export function whereClause(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
}
