import { type Parts, parseShape, type Shape, shape } from '../kit/compounds.ts'
import { join, refuse, type Type } from '../kit/type.ts'

type UnionOf<M extends Members> = { [Name in keyof M]: Shape<M[Name]> }[keyof M]
type Members = { readonly [name: string]: Parts }

/** A discriminated union: `key` names the part that selects the shape. */
export function union<M extends Members>(key: string, members: M): Type<UnionOf<M>>
export function union(key: string, members: Members): Type<unknown> {
  const names = Object.keys(members)
  return {
    schema: { oneOf: Object.values(members).map(closed) },
    column: 'jsonb',
    parse(value, path) {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return refuse(path, 'an object', value)
      const name = new Map<string, unknown>(Object.entries(value)).get(key)
      const parts = typeof name === 'string' && Object.hasOwn(members, name) ? members[name] : undefined
      return parts
        ? parseShape(parts, value, path)
        : refuse(join(path, key), `one of ${names.join(', ')}`, name)
    },
  }
}

function closed(parts: Parts) {
  return { ...shape(parts).schema, additionalProperties: false }
}
