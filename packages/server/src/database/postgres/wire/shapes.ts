import { declaredType } from './types.ts'

/** A statement's text together with the types that its values declare: what can be prepared once and run often. */
export interface Shape {
  readonly text: string
  readonly declared: readonly number[]
  /** The types of its placeholders, as PostgreSQL told them; undefined until it was asked. */
  types: readonly number[] | undefined
  /** How often it was seen while it was remembered. */
  uses: number
}

const mostShapes = 1000

/**
 * Remembers the shapes of late. Clients choose them, so their number is bounded: when the young are many, they become the
 * old, and what of those is not seen again is forgotten.
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
