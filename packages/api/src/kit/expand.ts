import type { Kind } from '../prefixes.ts'

/**
 * A reference that can be embedded. `one` reads an id at `field`, `all` an array of ids, `many` the objects
 * of `kind` whose `field` refers to this object, `last` the newest of these, also a deleted one. With `inside`, the id is in each entry of that array field
 * and the object is added next to it; such an expand is named `<inside>.<key>`.
 */
export interface Expand {
  readonly kind: Kind | 'product'
  readonly how: 'one' | 'all' | 'many' | 'last'
  readonly field: string
  readonly inside?: string
}

export function one(kind: Expand['kind'], field = `${kind}_id`): Expand {
  return { kind, how: 'one', field }
}
export function oneInside(inside: string, kind: Kind, field = `${kind}_id`): Expand {
  return { kind, how: 'one', field, inside }
}
export function all(kind: Kind, field = `${kind}_ids`): Expand {
  return { kind, how: 'all', field }
}
export function many(kind: Kind, field: string): Expand {
  return { kind, how: 'many', field }
}
export function last(kind: Kind, field: string): Expand {
  return { kind, how: 'last', field }
}

/** A tree of expands: each key is an expand, each value the expands of the embedded object. */
export interface ExpandTree {
  readonly [name: string]: ExpandTree
}
