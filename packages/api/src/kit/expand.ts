import type { Kind } from '../prefixes.ts'

/**
 * A reference that can be embedded. `one` reads an id at `field`, `all` an array of ids, `many` the objects of
 * `kind` whose `field` names this one. With `inside`, the id stands in each entry of that array field and the
 * object is put beside it; the name of such an expand is `<inside>.<key>`.
 */
export interface Expand {
  readonly kind: Kind | 'product'
  readonly how: 'one' | 'all' | 'many'
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

/** A tree of what to embed: each key an expand name of its object, each value what to embed in that. */
export interface ExpandTree {
  readonly [name: string]: ExpandTree
}
