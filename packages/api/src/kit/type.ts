import { invalid } from '../errors.ts'
import type { Kind } from '../prefixes.ts'

export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly type?: string | readonly string[]
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
}

/** An id inside a value, with the path where it was found. */
export interface Reference {
  readonly field: string
  readonly kind: Kind
  readonly id: string
}

/**
 * Describes a value: its JSON Schema for the documents, its column in the database, and the function that
 * checks and normalizes it. Schema and check are built from the same options, so they cannot disagree.
 */
export interface Type<Value> {
  readonly schema: JsonSchema
  readonly column: string
  /**
   * Returns the canonical form. Throws `invalid_request` with `path` and both the given and the expected
   * value.
   */
  parse(value: unknown, path: string): Value
  references?(value: Value, path: string): Reference[]
  /** For ids: the kind that they refer to. */
  readonly target?: Kind
  /** For enumerations: the allowed values. */
  readonly choices?: readonly string[]
}

export type ValueOf<T> = T extends Type<infer Value> ? Value : never

export function refuse(path: string, expected: string, value: unknown): never {
  throw invalid(path, `${path || 'the body'} must be ${expected}, not ${show(value)}`)
}

/** Formats an invalid value for a message. A long value is only described. */
export function show(value: unknown): string {
  if (typeof value === 'string')
    return value.length > 60 ? `a string of ${value.length} characters` : JSON.stringify(value.toWellFormed())
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** Shortens a name that the caller chose for a message. */
export function clip(name: string): string {
  return (name.length > 64 ? `${name.slice(0, 64)}…` : name).toWellFormed()
}

export function join(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`
}
