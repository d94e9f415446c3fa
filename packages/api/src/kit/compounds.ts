import { invalid } from '../errors.ts'
import { isStorable } from './scalars.ts'
import { clip, type JsonSchema, join, refuse, type Type, type ValueOf } from './type.ts'

interface ListOptions {
  min?: number
  max: number
  unique?: boolean
}

export function list<Value>(item: Type<Value>, options: ListOptions): Type<Value[]> {
  const { min = 0, max, unique = false } = options
  const count = min === max ? `exactly ${max}` : `at most ${max}`
  return {
    schema: {
      type: 'array',
      items: item.schema,
      minItems: min,
      maxItems: max,
      ...(unique && { uniqueItems: true }),
    },
    column: item.column === 'text' ? 'text[]' : 'jsonb',
    ...(item.target && { target: item.target }),
    parse(value, path) {
      if (!Array.isArray(value) || value.length < min || value.length > max)
        return refuse(path, `an array of ${count} entries`, value)
      const parsed = value.map((entry, index) => item.parse(entry, join(path, index)))
      if (unique && new Set(parsed).size < parsed.length)
        return refuse(path, 'an array without repeats', value)
      return parsed
    },
    references: (values, path) =>
      values.flatMap((value, index) => item.references?.(value, join(path, index)) ?? []),
  }
}

export interface Part<
  Value = unknown,
  Required extends boolean = boolean,
  Nullable extends boolean = boolean,
> {
  readonly type: Type<Value>
  readonly required: Required
  readonly nullable: Nullable
  readonly about: string
  /** Null is kept as a distinct value that clears the field. */
  readonly keeps_null?: boolean
}

export function required<Value>(type: Type<Value>, about: string): Part<Value, true, false> {
  return { type, required: true, nullable: false, about }
}
/** Can be omitted. Null means the same as omitted, because some clients send every field of their classes. */
export function optional<Value>(type: Type<Value>, about: string): Part<Value, false, false> {
  return { type, required: false, nullable: false, about }
}
/** Can be omitted or null. Both mean "not set" and are stored as absent. Responses can contain null. */
export function nullable<Value>(type: Type<Value>, about: string): Part<Value, false, true> {
  return { type, required: false, nullable: true, about }
}

/** Omitted leaves the value unchanged; null clears it. */
export function clearable<Value>(type: Type<Value>, about: string): Part<Value, false, true> {
  return { type, required: false, nullable: true, about, keeps_null: true }
}

// biome-ignore lint/suspicious/noExplicitAny: parts are invariant in their value, and any is the only common bound
export type Parts = { readonly [key: string]: Part<any> }
type Flatten<T> = { [K in keyof T]: T[K] }
export type Shape<P extends Parts> = Flatten<
  { [K in keyof P as P[K]['required'] extends true ? K : never]: ValueOf<P[K]['type']> } & {
    [K in keyof P as P[K]['required'] extends true ? never : K]?:
      | ValueOf<P[K]['type']>
      | (P[K]['nullable'] extends true ? null : never)
  }
>

/** An object with known parts. Unknown parts are rejected by name, with the allowed ones listed. */
export function shape<const P extends Parts>(parts: P): Type<Shape<P>> {
  return {
    schema: shapeSchema(parts),
    column: 'jsonb',
    parse: (value, path) => parseShape(parts, value, path),
    references: (value, path) =>
      Object.entries(parts).flatMap(([key, part]) => {
        const held = (value as Record<string, unknown>)[key]
        return held == null ? [] : (part.type.references?.(held, join(path, key)) ?? [])
      }),
  }
}

export function parseShape<P extends Parts>(parts: P, value: unknown, path: string): Shape<P>
export function parseShape(parts: Parts, value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(path, 'an object', value)
  const keys = Object.keys(parts)
  refuseUnknown(keys, value, path)
  const parsed: Record<string, unknown> = {}
  for (const key of keys) {
    const part = parts[key] as Part
    const held = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
    if (held === null && !part.required) {
      if (part.keeps_null) parsed[key] = null
    } else if (held !== undefined) parsed[key] = part.type.parse(held, join(path, key))
    else if (part.required) throw invalid(join(path, key), `${join(path, key)} is required`)
  }
  return parsed
}

/** A shape whose value always has every key. Omitted keys get their value from `empty`. */
export function whole<Value extends object>(type: Type<Value>, empty: Required<Value>): Type<Value> {
  return { ...type, parse: (value, path) => ({ ...empty, ...type.parse(value, path) }) }
}

export function refuseUnknown(
  allowed: readonly string[],
  value: object,
  path: string,
  hints: Record<string, string> = {},
): void {
  for (const key of Object.keys(value)) {
    if (allowed.includes(key)) continue
    const field = join(path, clip(key))
    const hint = Object.hasOwn(hints, key) ? `; ${hints[key]}` : ''
    throw invalid(field, `unknown field ${field}; allowed are: ${allowed.join(', ') || 'none'}${hint}`)
  }
}

function shapeSchema(parts: Parts): JsonSchema {
  const entries = Object.entries(parts)
  const names = entries.filter(([, part]) => part.required).map(([key]) => key)
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([key, part]) => [
        key,
        { ...orNull(part.type.schema, part.nullable), description: part.about },
      ]),
    ),
    ...(names.length > 0 && { required: names }),
  }
}

export function orNull(schema: JsonSchema, isNullable: boolean): JsonSchema {
  if (!isNullable || [schema.type].flat().includes('null')) return schema
  const widened = { ...schema, type: [schema.type ?? [], 'null'].flat() }
  return Array.isArray(schema.enum) ? { ...widened, enum: [...schema.enum, null] } : widened
}

export type Metadata = { [key: string]: string }
export const metadataLimit = 1024

/** A map from strings to strings. A key whose value is null is dropped. */
export const metadata: Type<Metadata> = {
  schema: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: `Up to ${metadataLimit} bytes of keys and values together.`,
  },
  column: 'jsonb',
  parse(value, path) {
    return checkMetadataSize(withoutNulls(parseEntries(value, path)), path)
  },
}

export type MetadataChange = { [key: string]: string | null }
export const metadataChange: Type<MetadataChange> = {
  schema: {
    type: 'object',
    additionalProperties: { type: ['string', 'null'] },
    description: 'Merged key by key; null removes a key.',
  },
  column: 'jsonb',
  parse: parseEntries,
}

export function withoutNulls(change: MetadataChange): Metadata {
  const kept = Object.entries(change).filter((entry): entry is [string, string] => entry[1] !== null)
  return Object.fromEntries(kept)
}

function parseEntries(value: unknown, path: string): MetadataChange {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(path, 'an object of strings', value)
  const parsed: MetadataChange = {}
  for (const [key, held] of Object.entries(value)) {
    if (key === '__proto__' || !isStorable(key)) return refuse(path, 'an object with plain keys', key)
    if (held !== null && (typeof held !== 'string' || !isStorable(held)))
      return refuse(join(path, clip(key)), 'a string without NUL or lone surrogates', held)
    parsed[key] = held
  }
  return parsed
}

export function checkMetadataSize(value: Metadata, path: string): Metadata {
  const size = utf8Length(Object.entries(value).flat().join(''))
  if (size > metadataLimit)
    throw invalid(
      path,
      `${path} holds ${size} bytes of keys and values; at most ${metadataLimit} are allowed`,
    )
  return value
}

function utf8Length(value: string): number {
  let bytes = 0
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
