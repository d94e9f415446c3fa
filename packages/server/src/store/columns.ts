import { isAnswered, isColumn, type Resource, resourceOf } from '@gatehouse/api'
import type { Row } from '../database/db.ts'

const lists = new WeakMap<Resource, string>()

/** The SELECT list that answers an object: the row of the driver is the object on the wire. */
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

/** Puts into a row what is not stored as it is answered. */
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

/** The column that holds the organization; none for what all organizations share. */
export function tenantColumn(resource: Resource): string | undefined {
  if ('organization_id' in resource.fields) return 'organization_id'
  return resource.kind === 'organization' ? 'id' : undefined
}

/** What a list is sorted and compared by. Nulls sort below everything; the index is on this very expression. */
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

/** Those of the values that are columns, for INSERT or UPDATE. */
export function storedColumns(resource: Resource, values: Row): string[] {
  return Object.keys(values).filter(name => {
    const field = resource.fields[name]
    return name === 'search_text' || (field !== undefined && isColumn(field))
  })
}
