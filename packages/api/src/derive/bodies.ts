import { invalid } from '../errors.ts'
import {
  checkMetadataSize,
  type Metadata,
  type MetadataChange,
  orNull,
  refuseUnknown,
  withoutNulls,
} from '../kit/compounds.ts'
import type { Field } from '../kit/field.ts'
import type { CreateOf, EditOf, Resource } from '../kit/resource.ts'
import { type JsonSchema, type Reference, refuse } from '../kit/type.ts'

type Values = Record<string, unknown>
type NamedField = readonly [name: string, field: Field]

const takes = {
  create: new WeakMap<Resource, NamedField[]>(),
  edit: new WeakMap<Resource, NamedField[]>(),
}

/** Returns the fields that a create or an edit of the resource accepts. */
export function fieldsFor(resource: Resource, verb: 'create' | 'edit'): NamedField[] {
  const known = takes[verb].get(resource)
  if (known) return known
  const fields = Object.entries(resource.fields).filter(([, field]) =>
    verb === 'create' ? field.create : field.edit,
  )
  takes[verb].set(resource, fields)
  return fields
}

/** Returns the normalized values of a create, without omitted and null fields: see `storedDefaults`. */
export function parseCreate<R extends Resource>(resource: R, body: unknown): CreateOf<R>
export function parseCreate(resource: Resource, body: unknown): Values {
  const given = asFields(resource, 'create', body)
  const values: Values = {}
  for (const [name, field] of fieldsFor(resource, 'create')) {
    const isMeant = given[name] !== null || field.create === 'required' || field.keeps_null
    const isGiven = Object.hasOwn(given, name) && isMeant
    if (isGiven) values[name] = parseField(name, field, field.type, given[name])
    else if (field.create === 'required') throw invalid(name, `${name} is required`)
  }
  return values
}

/** Returns the normalized values of an edit. Omitted fields stay unchanged. */
export function parseEdit<R extends Resource>(resource: R, body: unknown): EditOf<R>
export function parseEdit(resource: Resource, body: unknown): Values {
  const given = asFields(resource, 'edit', body)
  const values: Values = {}
  for (const [name, field] of fieldsFor(resource, 'edit'))
    if (Object.hasOwn(given, name))
      values[name] = parseField(name, field, field.change ?? field.type, given[name])
  return values
}

function asFields(resource: Resource, verb: 'create' | 'edit', body: unknown): Values {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refuse('', 'a JSON object', body)
  const allowed = fieldsFor(resource, verb).map(([name]) => name)
  refuseUnknown(allowed, body, '', resource.removed_fields)
  return body as Values
}

function parseField(name: string, field: Field, type: Field['type'], value: unknown): unknown {
  if (value !== null) return type.parse(value, name)
  if (!isClearable(field)) throw invalid(name, `${name} cannot be null`)
  // Where an edit merges, merging the initial value would change nothing, so null is passed on.
  return type === field.change || field.keeps_null ? null : (field.initial ?? null)
}

/** Null resets a field that a create may omit to its initial value. */
function isClearable(field: Field): boolean {
  return field.nullable === true || (field.create === 'optional' && field.initial !== undefined)
}

const defaults = new WeakMap<Resource, Readonly<Values>>()

/** Returns the values to store in the columns of a new object that the create did not set. */
export function storedDefaults(resource: Resource): Readonly<Values> {
  const known = defaults.get(resource)
  if (known) return known
  const columns = Object.entries(resource.fields).filter(([, field]) => isColumn(field))
  const values = Object.fromEntries(columns.map(([name, field]) => [name, field.initial ?? null]))
  defaults.set(resource, values)
  return values
}

export function isColumn(field: Field): boolean {
  return !field.body_only && !field.derive && !field.through && !field.alias
}

/** Merges metadata key by key. Null removes a key. The size limit applies to the result. */
export function mergeMetadata(current: Metadata, change: MetadataChange): Metadata {
  return checkMetadataSize(withoutNulls({ ...current, ...change }), 'metadata')
}

/** Returns the ids of other objects in these values. Skips the parent's id, which comes from the path. */
export function referencesIn(resource: Resource, values: Values): Reference[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (name === 'id' || name === `${resource.parent}_id`) return []
    const type = resource.fields[name]?.type
    return value === null || value === undefined ? [] : (type?.references?.(value, name) ?? [])
  })
}

export function createSchema(resource: Resource): JsonSchema {
  const fields = fieldsFor(resource, 'create')
  const names = fields.filter(([, field]) => field.create === 'required').map(([name]) => name)
  return bodySchema(
    fields.map(([name, field]) => [name, takenSchema(field, field.type)]),
    names,
  )
}

export function editSchema(resource: Resource): JsonSchema {
  const fields = fieldsFor(resource, 'edit')
  return bodySchema(
    fields.map(([name, field]) => [name, takenSchema(field, field.change ?? field.type)]),
    [],
  )
}

function bodySchema(properties: [string, JsonSchema][], names: string[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
    ...(names.length > 0 && { required: names }),
  }
}

function takenSchema(field: Field, type: Field['type']): JsonSchema {
  return { ...orNull(type.schema, isClearable(field)), description: field.about }
}

export function fieldSchema(field: Field): JsonSchema {
  const { schema } = field.shown ?? field.type
  return { ...orNull(schema, field.nullable === true), description: field.about }
}
