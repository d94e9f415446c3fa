import type { Condition, Operator } from './filters.ts'

/** Evaluates filters in memory. The result must be the same as that of a list's SQL. */
export function matches(conditions: readonly Condition[], object: object): boolean {
  return conditions.every(({ filter: { each, operator, path }, value }) => {
    const held = valueAt(object, path)
    if (each === undefined) return compare(operator, held, value)
    return Array.isArray(held) && held.some(entry => compare(operator, ownValue(entry, each), value))
  })
}

function compare(operator: Operator, held: unknown, asked: unknown): boolean {
  if (asked === null) return held === null || held === undefined
  if (held === null || held === undefined) return false
  if (operator === 'equal') return held === asked
  if (operator === 'has_all')
    return Array.isArray(asked) && Array.isArray(held) && asked.every(entry => held.includes(entry))
  return isOrdered(held) && isOrdered(asked) && compareOrdered(operator, held, asked)
}

/** Strings, including canonical timestamps, and numbers. */
type Ordered = string | number

function isOrdered(value: unknown): value is Ordered {
  return typeof value === 'string' || typeof value === 'number'
}

function compareOrdered(operator: 'gt' | 'ge' | 'lt' | 'le', held: Ordered, asked: Ordered): boolean {
  switch (operator) {
    case 'gt':
      return held > asked
    case 'ge':
      return held >= asked
    case 'lt':
      return held < asked
    case 'le':
      return held <= asked
  }
}

/** Returns the value at a dotted path. Everything after `metadata.` is a single key, including its dots. */
export function valueAt(object: object, path: string): unknown {
  if (path.startsWith('metadata.')) return ownValue(ownValue(object, 'metadata'), path.slice(9))
  if (!path.includes('.')) return ownValue(object, path)
  let value: unknown = object
  for (const key of path.split('.')) value = ownValue(value, key)
  return value
}

function ownValue(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
