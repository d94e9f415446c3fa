import { declaredType } from './types.ts'

/** The text of a statement and the types that its values declare: the unit that can be prepared. */
export interface Shape {
  readonly text: string
  readonly declared: readonly number[]
  /** The parameter types as PostgreSQL described them. Undefined until PostgreSQL was asked. */
  types: readonly number[] | undefined
  /** How often the shape was used since it was cached. */
  uses: number
}

const mostShapes = 1000

/**
 * Caches recently used shapes. Clients influence their number, so it is bounded: when the young generation is
 * full, it becomes the old one, and old shapes that are not used again are dropped.
 */
export class Shapes {
  #young = new Map<string, Shape[]>()
  #old = new Map<string, Shape[]>()

  find(text: string, params: readonly unknown[]): Shape {
    const variants = this.#variantsOf(text)
    const shape = variants.find(({ declared }) => isDeclared(declared, params)) ?? add(variants, text, params)
    shape.uses++
    return shape
  }

  #variantsOf(text: string): Shape[] {
    const young = this.#young.get(text)
    if (young) return young
    const variants = this.#old.get(text) ?? []
    if (this.#young.size >= mostShapes) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(text, variants)
    return variants
  }
}

function add(variants: Shape[], text: string, params: readonly unknown[]): Shape {
  const types = params.length === 0 ? [] : undefined
  const shape = { text, declared: params.map(declaredType), types, uses: 0 }
  if (variants.push(shape) > 16) variants.shift()
  return shape
}

function isDeclared(declared: readonly number[], params: readonly unknown[]): boolean {
  if (declared.length !== params.length) return false
  for (let index = 0; index < params.length; index++)
    if (declared[index] !== declaredType(params[index])) return false
  return true
}
