import {
  type ExportBody,
  type ExportFormat,
  exportSort,
  invalid,
  isAnswered,
  isListed,
  type ListQuery,
  parseListQuery,
  type Resource,
  resources,
} from '@gatehouse-access/api'
import { memberColumns } from './member-cells.ts'

/** What is exported, and how. */
export interface ExportPlan {
  readonly resource: Resource
  readonly query: ListQuery
  /** Undefined: all. */
  readonly columns: readonly string[] | undefined
  readonly format: ExportFormat
}

const listed: readonly Resource[] = Object.values(resources as Record<string, Resource>).filter(isListed)

/** Throws if nobody could be told what was exported: the errors name the field of the body. */
export function planExport(body: ExportBody, application: string | undefined): ExportPlan {
  const { kind, filter = {}, columns, expand = [], format } = body
  const resource = listed.find(({ plural }) => plural === kind)
  if (!resource) throw invalid('kind', `kind must be one of ${listed.map(({ plural }) => plural).join(', ')}`)
  if (resource.owned_by_application && application === undefined)
    throw invalid('kind', `only applications have ${kind}`)
  refuseReserved(filter)
  checkColumns(resource, expand, columns)
  const query = parseListQuery(resource, {
    ...Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)])),
    ...(expand.length > 0 && { expand: expand.join(',') }),
    sort: `${exportSort(resource)}:asc`,
  })
  return { resource, columns, format, query }
}

function refuseReserved(filter: object): void {
  const name = ['cursor', 'limit', 'sort', 'expand'].find(word => word in filter)
  if (name !== undefined) throw invalid(`filter.${name}`, `${name} is no filter`)
}

function checkColumns(
  resource: Resource,
  expand: readonly string[],
  columns: readonly string[] | undefined,
): void {
  const fields = Object.entries(resource.fields).flatMap(([name, field]) => (isAnswered(field) ? [name] : []))
  const more = resource === resources.member ? memberColumns : []
  const known = new Set<string>([...fields, ...more, ...expand.map(name => name.split('.')[0] ?? name)])
  for (const [index, column] of (columns ?? []).entries())
    if (!known.has(column.split('.')[0] ?? column))
      throw invalid(`columns.${index}`, `columns must begin with one of ${[...known].join(', ')}`)
}
