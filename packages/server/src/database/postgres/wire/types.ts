import { formatTextArray, parseTextArray } from './text-arrays.ts'
import { formatStored } from './timestamps.ts'

const oids = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  oid: 26,
  json: 114,
  float4: 700,
  float8: 701,
  text_array: 1009,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  jsonb: 3802,
  json_array: 199,
  jsonb_array: 3807,
} as const

export type Parse = (text: string) => unknown

/**
 * Timestamps stay strings, because a JavaScript Date drops microseconds and breaks cursors. int8 and numeric
 * stay strings, because a number cannot hold them.
 */
const parsers = new Map<number, Parse>([
  [oids.bool, text => text === 't'],
  [oids.bytea, text => Buffer.from(text.slice(2), 'hex')],
  ...[oids.int2, oids.int4, oids.oid, oids.float4, oids.float8].map(oid => [oid, Number] as const),
  [oids.json, JSON.parse],
  [oids.jsonb, JSON.parse],
  ...[oids.date, oids.timestamp, oids.timestamptz].map(oid => [oid, formatStored] as const),
  [oids.text_array, parseTextArray],
])

/** Returns undefined if the text itself is the value. */
export function parserOf(oid: number): Parse | undefined {
  return parsers.get(oid)
}

/** Returns the type to declare for a value. 0 lets PostgreSQL infer it. */
export function declaredType(value: unknown): number {
  if (typeof value === 'boolean') return oids.bool
  if (typeof value === 'bigint') return oids.int8
  if (value instanceof Uint8Array) return oids.bytea
  return value instanceof Date ? oids.timestamptz : 0
}

/** Serializes a value for a parameter of the given type: `bytea` as binary, everything else as text. */
export function serialize(value: unknown, oid: number): string | Uint8Array | null {
  if (value === null) return null
  if (value === undefined) throw new TypeError('a parameter is undefined: null is what PostgreSQL knows')
  if (oid === oids.json || oid === oids.jsonb) return JSON.stringify(value)
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return formatArray(value, oid === oids.json_array || oid === oids.jsonb_array)
  return value instanceof Uint8Array && oid === oids.bytea ? value : formatPlain(value)
}

function formatArray(values: readonly unknown[], isJson: boolean): string {
  if (!values.some(Array.isArray) || isJson)
    return formatTextArray(
      values.map(value => (value === null ? null : isJson ? JSON.stringify(value) : formatPlain(value))),
    )
  return `{${values.map(value => formatArray(value as unknown[], isJson)).join(',')}}`
}

function formatPlain(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
