import {
  bodySchema,
  type Endpoint,
  type Filter,
  type JsonSchema,
  type Kind,
  prefixes,
} from '@gatehouse-access/api'
import { idPattern } from '@gatehouse-access/core'
import { type FieldPath, fieldPaths } from './field-paths.ts'

const kinds = new Map(Object.entries(prefixes).map(([kind, prefix]) => [idPattern(prefix), kind as Kind]))

/** Returns the kind whose ids a schema describes. */
export function kindOfSchema(schema: JsonSchema): Kind | undefined {
  return kinds.get(String(schema.pattern))
}

/** Returns every field of a body that refers to an object of the organization. */
export function referencePaths(endpoint: Endpoint): (FieldPath & { kind: Kind })[] {
  return fieldPaths(bodySchema(endpoint)).flatMap(found => {
    const kind = kindOfSchema(found.schema)
    return kind ? [{ ...found, kind }] : []
  })
}

/**
 * Filters by a value that only one organization knows: one that exists there, and one that exists nowhere.
 */
const ownValues: Record<string, readonly [theirs: string, never: string]> = {
  uid: ['04AAAAAA', '04BBBBBB'],
  printed_code: ['ONLY-A', 'ONLY-B'],
  hardware_id: ['hw_ONLY-A', 'hw_ONLY-B'],
  'object.hardware_id': ['hw_ONLY-A', 'hw_ONLY-B'],
  external_id: ['only-a', 'only-b'],
  reference: ['only-a', 'only-b'],
  email: ['only-a@example.com', 'only-b@example.com'],
}

/** Filters by values that all organizations share. */
const words = [
  'product_id',
  'timezone',
  'object.changed_field',
  'object.gadget_action_id',
  'object.gadget_state_id',
  'object.gadget_signal_id',
  'language',
  'kind',
]

/** Returns the values to filter by, or undefined if the filter reveals nothing about a particular object. */
export function filterValues(
  { name, type, operator }: Filter,
  idOf: (kind: Kind) => readonly [string, string],
): readonly [string, string] | undefined {
  if (type.target) return idOf(type.target)
  if (ownValues[name]) return ownValues[name]
  const isWord = type.choices || type.schema.type === 'boolean' || words.includes(name)
  if (isWord || (operator !== 'equal' && operator !== 'has_all')) return undefined
  throw new Error(`the isolation test does not know what to ask the filter ${name} for`)
}
