import type { ListQuery, Resource } from '@gatehouse-access/api'
import { sortCast, sortExpression } from './columns.ts'
import type { Position } from './cursor.ts'
import type { Bind } from './statement.ts'
import type { Asked } from './where.ts'

export interface AskedAfter extends Asked {
  readonly position: Position | undefined
}

export function afterPosition(
  bind: Bind<AskedAfter>,
  resource: Resource,
  query: ListQuery,
  position: Position,
): string {
  const { field, direction } = query.sort
  const sign = direction === 'desc' ? '<' : '>'
  const cast = sortCast(resource, field)
  const bound = bind(asked => asked.position?.value, cast)
  const value =
    position.value === null ? `coalesce(${bound}, ${cast === 'text' ? "''" : "'-infinity'"})` : bound
  return `(${sortExpression(resource, field)}, t.id) ${sign} (${value}, ${bind(asked => asked.position?.id)})`
}

/** In the order of a list, and in which its indexes are. */
export function orderOf(resource: Resource, { sort: { field, direction } }: Pick<ListQuery, 'sort'>): string {
  return `ORDER BY ${sortExpression(resource, field)} ${direction}, t.id ${direction}`
}
