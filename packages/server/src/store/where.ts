import { type Condition, type ListQuery, type Resource, resourceOf } from '@gatehouse/api'
import { sortExpression, tenantColumn } from './columns.ts'
import { searchPattern } from './search.ts'
import type { Statement } from './statement.ts'

/** Whose objects: every read is bound to one organization, some also to a parent or to the application. */
export interface Reach {
  readonly organization_id: string
  readonly oauth_application_id?: string | undefined
  readonly parent?: { readonly field: string; readonly id: string } | undefined
}

export function reachConditions(statement: Statement, resource: Resource, reach: Reach): string[] {
  const tenant = tenantColumn(resource)
  return [
    ...(tenant ? [`t.${tenant} = ${statement.bind(reach.organization_id)}`] : []),
    ...(reach.parent ? [`t.${reach.parent.field} = ${statement.bind(reach.parent.id)}`] : []),
    ...(resource.owned_by_application
      ? [`t.oauth_application_id = ${statement.bind(reach.oauth_application_id ?? null)}`]
      : []),
  ]
}

/** The SQL interpreter of filters; `matches` in the api package is the other one. */
export function filterConditions(
  statement: Statement,
  resource: Resource,
  reach: Reach,
  query: ListQuery,
): string[] {
  const conditions = query.conditions.map(condition => filterCondition(statement, resource, reach, condition))
  if (query.q !== undefined) conditions.push(searchCondition(statement, resource, reach, query.q))
  return conditions
}

const symbols = { equal: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const

function filterCondition(
  statement: Statement,
  resource: Resource,
  reach: Reach,
  condition: Condition,
): string {
  const { filter, value } = condition
  if (filter.through) return throughCondition(statement, reach, filter.through, value)
  if (filter.path.startsWith('metadata.'))
    return `t.metadata @> ${statement.bind({ [filter.path.slice(9)]: value })}`
  if (filter.operator === 'has_all') return `t.${filter.path} @> ${statement.bind(value)}`
  if (filter.operator === 'equal')
    return `${equalExpression(filter.path)} = ${statement.bind(comparable(filter.path, value))}`
  const compared = `${sortExpression(resource, filter.path)} ${symbols[filter.operator]} ${statement.bind(value)}`
  const isLower = filter.operator === 'lt' || filter.operator === 'le'
  return isLower && resource.fields[filter.path]?.nullable
    ? `(${compared} AND t.${filter.path} IS NOT NULL)`
    : compared
}

export function equalExpression(path: string): string {
  const [column, key] = path.split('.')
  return key === undefined ? `t.${column}` : `(t.${column}->>'${key}')`
}

/** Values inside JSON are compared as text. */
function comparable(path: string, value: unknown): unknown {
  return path.includes('.') ? String(value) : value
}

function throughCondition(
  statement: Statement,
  reach: Reach,
  through: { kind: string; column: string },
  value: unknown,
): string {
  const { table, parent } = resourceOf(through.kind)
  const tenant = statement.bind(reach.organization_id)
  return `t.id IN (SELECT c.${parent}_id FROM ${table} c WHERE c.organization_id = ${tenant} AND c.${through.column} = ${statement.bind(value)} AND NOT c.is_deleted)`
}

function searchCondition(statement: Statement, resource: Resource, reach: Reach, q: string): string {
  const pattern = searchPattern(q)
  if (!resource.search?.through) return `t.search_text LIKE ${statement.bind(pattern)}`
  const { table } = resourceOf(resource.search.through)
  const tenant = statement.bind(reach.organization_id)
  const by = resource.search.fields[0]
  return `t.${by} IN (SELECT c.id FROM ${table} c WHERE c.organization_id = ${tenant} AND c.search_text LIKE ${statement.bind(pattern)})`
}
