import { isAnswered, isColumn, type Resource, resourceOf } from '@gatehouse-access/api'
import type { Row } from '../database/db.ts'

const lists = new WeakMap<Resource, string>()

/** Returns the SELECT list of an object. The driver's row is then the object that is sent to clients. */
export function selectList(resource: Resource): string {
  const known = lists.get(resource)
  if (known) return known
  const list = Object.entries(resource.fields)
    .filter(([, field]) => isAnswered(field) && !field.derive)
    .map(([name]) => selectColumn(resource, name))
    .join(', ')
  lists.set(resource, list)
  return list
}

function selectColumn(resource: Resource, name: string): string {
  const field = resource.fields[name]
  if (field?.alias) return `t.${field.alias} AS ${name}`
  if (!field?.through) return `t.${name}`
  const { field: by, kind, column } = field.through
  const table = resourceOf(kind).table
  return `(SELECT c.${column} FROM ${table} c WHERE c.organization_id = t.organization_id AND c.id = t.${by}) AS ${name}`
}

type Finish = <T extends object>(row: T) => T
const finishers = new WeakMap<Resource, Finish>()

/** Adds derived fields to a row and converts fields whose stored form differs from the API's. */
export function finishRow(resource: Resource): Finish {
  const known = finishers.get(resource)
  if (known) return known
  const derived = Object.entries(resource.fields).filter(([, field]) => field.derive || field.render)
  finishers.set(resource, finish)
  return finish

  function finish<T extends object>(row: T): T
  function finish(row: Row): Row {
    for (const [name, field] of derived)
      row[name] = field.derive ? field.derive(row) : field.render?.(row[name])
    return row
  }
}

/** Returns the column that holds the organization, or undefined for kinds that all organizations share. */
export function tenantColumn(resource: Resource): string | undefined {
  if ('organization_id' in resource.fields) return 'organization_id'
  return resource.kind === 'organization' ? 'id' : undefined
}

/** Returns the sort expression of a list. Nulls sort below all values. The index is on this expression. */
export function sortExpression(resource: Resource, name: string): string {
  if (name.startsWith('metadata.')) return `coalesce(t.metadata->>'${name.slice(9)}', '')`
  const field = resource.fields[name]
  const column = field?.alias ?? name
  if (!field?.nullable) return `t.${column}`
  return `coalesce(t.${column}, ${field.type.column === 'text' ? "''" : "'-infinity'"})`
}

export function sortCast(resource: Resource, name: string): string {
  return name.startsWith('metadata.') ? 'text' : (resource.fields[name]?.type.column ?? 'text')
}

/** Returns the names of the values that are columns, for INSERT or UPDATE. */
export function storedColumns(resource: Resource, values: Row): string[] {
  return Object.keys(values).filter(name => {
    const field = resource.fields[name]
    return name === 'search_text' || (field !== undefined && isColumn(field))
  })
}
