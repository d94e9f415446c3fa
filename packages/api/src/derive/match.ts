import type { Condition, Operator } from './filters.ts'

/** The in-memory interpreter of filters. It gives the very answer that the SQL of a list gives. */
export function matches(conditions: readonly Condition[], object: object): boolean {
  return conditions.every(({ filter, value }) =>
    compare(filter.operator, valueAt(object, filter.path), value),
  )
}

function compare(operator: Operator, held: unknown, asked: unknown): boolean {
  if (held === null || held === undefined) return false
  switch (operator) {
    case 'equal':
      return held === asked
    case 'has_all':
      return (asked as string[]).every(entry => (held as string[]).includes(entry))
    case 'gt':
      return (held as string) > (asked as string)
    case 'ge':
      return (held as string) >= (asked as string)
    case 'lt':
      return (held as string) < (asked as string)
    case 'le':
      return (held as string) <= (asked as string)
  }
}

/** The value at a dotted path. Everything behind `metadata.` is one key, dots and all. */
export function valueAt(object: object, path: string): unknown {
  if (path.startsWith('metadata.')) return ownValue((object as { metadata?: object }).metadata, path.slice(9))
  if (!path.includes('.')) return ownValue(object, path)
  let value: unknown = object
  for (const key of path.split('.')) value = ownValue(value, key)
  return value
}

function ownValue(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}
