import type { JsonSchema } from '@gatehouse-access/api'
import fc from 'fast-check'
import { neverId } from './one-of-each.ts'
import { kindOfSchema } from './references.ts'

const long = 'x'.repeat(10_000)
const hostile = JSON.parse('{"__proto__": {"is_deleted": true}, "constructor": {"prototype": null}}')
const huge = [1e308, -1e308, 2 ** 53, -1, 0.5]

const wrong: Record<string, readonly unknown[]> = {
  string: [0, true, [], {}, '\0', 'a\0b', '\ud800', '\udfff!', long],
  integer: ['6', true, [], {}, ...huge],
  number: ['6', true, [], {}, 1e308, -1e308],
  boolean: [0, 1, 'true', '', [], {}],
  array: [{}, 'x', 0, true, [[[]]], [hostile], Array.from({ length: 10_000 }, () => null)],
  object: [[], 'x', 0, true, hostile, { nonsense: 1 }, { [long]: 1 }, deep(33), deep(10_000)],
}

/** Values that no field of this schema accepts. */
export function wrongValues(schema: JsonSchema): readonly unknown[] {
  const types = [schema.type].flat() as string[]
  const own = [...(wrong[types[0] as string] as readonly unknown[]), ...wrongTexts(schema)]
  return types.includes('null') ? own : [...own, null]
}

/** Texts that match no choice or format, ids that do not exist, and ids of the wrong kind. */
function wrongTexts(schema: JsonSchema): readonly string[] {
  const kind = kindOfSchema(schema)
  if (kind) return ['x', neverId(kind), neverId(kind).toUpperCase(), neverId(kind === 'tag' ? 'site' : 'tag')]
  return schema.enum || schema.pattern || schema.format ? ['é!'] : []
}

/** Values of any other type, mixed with the known invalid ones. */
export const anyWrongValue = (schema: JsonSchema) =>
  fc.oneof(fc.constantFrom(...wrongValues(schema)), ofAnotherType(schema))

function ofAnotherType(schema: JsonSchema): fc.Arbitrary<unknown> {
  const types = [schema.type].flat() as string[]
  const arbitraries: Record<string, fc.Arbitrary<unknown>> = {
    string: fc.string({ unit: 'binary' }),
    number: fc.double({ noNaN: true, noDefaultInfinity: true }),
    boolean: fc.boolean(),
    array: fc.array(fc.jsonValue(), { minLength: 1 }),
    object: fc.dictionary(fc.string({ unit: 'binary', minLength: 1 }), fc.jsonValue(), { minKeys: 1 }),
  }
  const others = Object.entries(arbitraries).filter(([type]) => !types.map(widen).includes(type))
  return fc.oneof(...others.map(([, arbitrary]) => arbitrary))
}

function widen(type: string): string {
  return type === 'integer' ? 'number' : type
}

function deep(levels: number): unknown {
  let value: unknown = {}
  for (let level = 1; level < levels; level++) value = { a: value }
  return value
}
