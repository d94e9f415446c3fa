import { answeredResource, type Endpoint } from '../../endpoints.ts'
import type { Resource } from '../../kit/resource.ts'
import type { JsonSchema } from '../../kit/type.ts'
import { spell } from '../../kit/words.ts'
import { comparisons, type Filter, filtersOf } from '../filters.ts'
import { defaultLimit, isCounted, maxLimit, sortsOf, usualSort } from '../list-query.ts'
import { takesKey, takesPrecondition } from './errors.ts'
import { exampleOf } from './example-values.ts'
import { exampleCursor } from './examples.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonSchema
  readonly about: string
  readonly example: unknown
}

/** Returns what an endpoint accepts apart from its body: path, then query, then headers. */
export function parametersOf(endpoint: Endpoint): Parameter[] {
  const list = endpoint.verb === 'list' ? listParametersOf(endpoint.resource) : []
  return [
    ...pathParameters(endpoint),
    ...list,
    ...ownParameters(endpoint),
    ...expandParameters(endpoint),
    ...headerParameters(endpoint),
  ]
}

export function query(name: string, schema: JsonSchema, about: string, example: unknown): Parameter {
  return { name, in: 'query', required: false, schema, about, example }
}

function pathParameters({ params }: Endpoint): Parameter[] {
  return params.map(({ name, kind, type: { schema } }) => {
    return {
      name,
      in: 'path',
      required: true,
      schema,
      about: `ID of the ${spell(kind)}.`,
      example: exampleOf(schema),
    }
  })
}

const limit: JsonSchema = { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit }
const isDeleted: JsonSchema = { type: 'string', enum: ['true', 'false', 'any'], default: 'false' }
const search: JsonSchema = { type: 'string', maxLength: 255 }

function listParametersOf(resource: Resource): Parameter[] {
  const { fields } = resource
  return [
    query('limit', limit, 'Objects per page.', defaultLimit),
    query(
      'cursor',
      { type: 'string' },
      '`cursor_next` of the previous page. Defaults to the first page.',
      exampleCursor,
    ),
    sortParameter(resource),
    ...(resource.search ? [query('q', search, searchAbout, exampleSearch(resource))] : []),
    ...(fields.is_deleted
      ? [
          query(
            'is_deleted',
            isDeleted,
            'Whether to return deleted objects: `true` for only deleted ones, `false` for none, `any` for both.',
            'any',
          ),
        ]
      : []),
    ...(isCounted(resource)
      ? [query('with_count', { type: 'boolean', default: false }, 'Whether to return `count`.', true)]
      : []),
    ...[...filtersOf(resource).values()].map(filter => filterParameter(resource, filter)),
    ...(fields.metadata ? metadataParameters(resource) : []),
  ]
}

const searchAbout =
  'Case-insensitive search. Three or more characters match anywhere; fewer match the start of a word.'

function exampleSearch({ search: looksAt, fields }: Resource): unknown {
  return String(fields[looksAt?.fields[0] ?? '']?.example ?? 'GH-').slice(0, 5)
}

function sortParameter(resource: Resource): Parameter {
  const sorts = sortsOf(resource).flatMap(name => [`${name}:asc`, `${name}:desc`])
  const initial = `${usualSort(resource)}:desc`
  return query('sort', { type: 'string', enum: sorts, default: initial }, 'Sort order.', initial)
}

const words = { gt: 'after', ge: 'at or after', lt: 'before', le: 'at or before' } as const

function filterParameter(
  resource: Resource,
  { name, path, operator, type, about, or_none }: Filter,
): Parameter {
  const comparison = comparisons.find(known => known === operator)
  const text = comparison ? `Only objects whose \`${path}\` is ${words[comparison]} this.` : about
  const declared = resource.fields[path]?.example
  const example = operator === 'equal' && declared !== undefined ? declared : exampleOf(type.schema)
  const schema = or_none ? { anyOf: [type.schema, { type: 'string', enum: ['null'] }] } : type.schema
  return query(name, schema, text, example)
}

/** OpenAPI cannot declare parameters by pattern, so the usual keys stand for all. */
function metadataParameters({ metadata_sorts = ['source'] }: Resource): Parameter[] {
  const examples: Readonly<Record<string, string>> = { source: 'pms', sourceID: 'R-1001' }
  return metadata_sorts.map(key =>
    query(
      `metadata.${key}`,
      { type: 'string' },
      `Only objects with this metadata value. Any other key works the same way: \`metadata.<key>=<value>\`.`,
      examples[key] ?? 'text',
    ),
  )
}

function ownParameters(endpoint: Endpoint): Parameter[] {
  return Object.entries(endpoint.query).map(([name, { type, about, is_required = false }]) => ({
    ...query(name, type.schema, about, exampleOf(type.schema)),
    required: is_required,
  }))
}

/** Returns the possible expands. A grant returns links and PINs by itself, with their secrets. */
export function expandsOf(endpoint: Endpoint): string[] {
  const names = Object.keys(answeredResource(endpoint)?.expands ?? {})
  return endpoint.id === 'grant.create'
    ? names.filter(name => name !== 'magic_links' && name !== 'pins')
    : names
}

function expandParameters(endpoint: Endpoint): Parameter[] {
  const names = expandsOf(endpoint)
  if (names.length === 0) return []
  const allowed = names.map(name => name.replaceAll('.', '\\.')).join('|')
  const absent =
    answeredResource(endpoint)
      ?.absent_expands?.map(name => `|${name}`)
      .join('') ?? ''
  const pattern = `^((${allowed})(\\..+)?${absent})$`
  const schema = { type: 'array', items: { type: 'string', pattern } }
  const listed = names.map(name => `\`${name}\``).join(', ')
  return [
    query('expand', schema, `Objects to embed, separated by commas: ${listed}. Use dots to go deeper.`, [
      names[0],
    ]),
  ]
}

function headerParameters(endpoint: Endpoint): Parameter[] {
  return [...(takesKey(endpoint) ? [idempotencyKey] : []), ...(takesPrecondition(endpoint) ? [ifMatch] : [])]
}

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  about:
    'Makes retries safe: repeating the same request with the same key returns the first response again, for 24 hours.',
  example: 'b7a1f6c2-5d0e-4f7e-9a53-2f1c8e6d9b40',
}

const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  about: 'An ETag of the object. The request fails with 412 if the object has changed since.',
  example: '"5f0d1c9be2"',
}
