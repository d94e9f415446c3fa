import { type Parts, parseShape, shape } from '../kit/compounds.ts'
import { join, refuse, type Type } from '../kit/type.ts'

/** Objects told apart by one of their parts. */
export function union(key: string, members: { readonly [name: string]: Parts }): Type<unknown> {
  const names = Object.keys(members)
  return {
    schema: { oneOf: names.map(name => closed(members[name] as Parts)) },
    column: 'jsonb',
    parse(value, path) {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return refuse(path, 'an object', value)
      const name = (value as Record<string, unknown>)[key]
      if (typeof name !== 'string' || !Object.hasOwn(members, name))
        return refuse(join(path, key), `one of ${names.join(', ')}`, name)
      return parseShape(members[name] as Parts, value, path)
    },
  }
}

function closed(parts: Parts) {
  return { ...shape(parts).schema, additionalProperties: false }
}
