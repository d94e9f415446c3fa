import type { Parameter } from '@gatehouse-access/api'
import { type Html, html } from '../../texts/html.ts'
import { fieldTable, type Row, rowOf } from './fields.ts'

const general = new Set(['limit', 'cursor', 'sort', 'q', 'is_deleted', 'expand', 'cascade', 'dry_run'])

/** Renders path, query and header parameters. The filters of a list can be many, so they are collapsed. */
export function renderParameters(all: readonly Parameter[], isOfList: boolean): Html {
  const filters = isOfList ? all.filter(isFilter) : []
  const others = all.filter(parameter => !filters.includes(parameter))
  return html`${table('Parameter', others.map(toRow))}${filters.length > 0 ? renderFilters(filters) : undefined}`
}

function isFilter(parameter: Parameter): boolean {
  return parameter.in === 'query' && !parameter.required && !general.has(parameter.name)
}

function toRow(parameter: Parameter): Row {
  const { name, schema, required, about, in: place } = parameter
  const row = rowOf(name, schema, required, withDefault(about, schema.default))
  if (name === 'sort') return { ...row, about: describeSort(parameter), choices: [] }
  if (name === 'expand' && about.length > 200)
    return { ...row, about: "Names of the object's expands, separated by commas." }
  return place === 'query' ? row : { ...row, type: `${row.type}, ${place}` }
}

function withDefault(about: string, value: unknown): string {
  return value === undefined ? about : about.replace(/\.$/, `; by default \`${value}\`.`)
}

function describeSort({ schema }: Parameter): string {
  const names = [...new Set((schema.enum ?? []).map(value => String(value).replace(/:\w+$/, '')))]
  const listed = names.map(name => `\`${name}\``).join(', ')
  return `One of ${listed}, followed by \`:asc\` or \`:desc\`; by default \`${schema.default}\`.`
}

function renderFilters(filters: readonly Parameter[]): Html {
  const rows = mergeComparisons(filters.map(toRow))
  return html`<details><summary>${rows.length} filters</summary>${table('Filter', rows)}</details>`
}

/** Merges the four comparisons of a field into one row. */
function mergeComparisons(rows: readonly Row[]): Row[] {
  return rows
    .filter(({ name }) => !/:(ge|lt|le)$/.test(name))
    .map(row =>
      row.name.endsWith(':gt')
        ? {
            ...row,
            about: row.about.replace(/\.$/, '; also `:ge` at or after, `:lt` before, `:le` at or before.'),
          }
        : row,
    )
}

function table(heading: string, rows: readonly Row[]): Html | undefined {
  return rows.length > 0 ? fieldTable(heading, rows) : undefined
}
