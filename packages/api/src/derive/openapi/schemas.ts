import { orNull } from '../../kit/compounds.ts'
import type { Expand } from '../../kit/expand.ts'
import type { Fields, Resource } from '../../kit/resource.ts'
import type { JsonSchema } from '../../kit/type.ts'
import { spell } from '../../kit/words.ts'
import { resources } from '../../resources/index.ts'
import { fieldSchema } from '../bodies.ts'
import { isAnswered } from '../filters.ts'
import { isCounted, mostCounted } from '../list-query.ts'
import { exampleValue } from './examples.ts'

export function refer(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

export function arrayOf(name: string): JsonSchema {
  return { type: 'array', items: refer(name) }
}

/** The schema of an object with its own fields, all of which are always present. */
export function objectSchema(resource: Resource): JsonSchema {
  const fields = Object.fromEntries(Object.entries(resource.fields).filter(([, field]) => isAnswered(field)))
  return {
    type: 'object',
    description: resource.about,
    properties: fieldSchemas(fields),
    required: Object.keys(fields),
  }
}

/**
 * The schema of an object with its expands. Embedded objects refer to schemas without expands, so that no
 * schema refers to itself: many tools resolve references recursively.
 */
export function expandedSchema(resource: Resource): JsonSchema {
  const plain = objectSchema(resource)
  return { ...plain, properties: withExpands(plain.properties ?? {}, resource) }
}

/** Returns the schema name of a returned object. Embedded objects use a separate, plain schema. */
export function answeredName({ kind, expands }: Resource): string {
  return Object.keys(expands).length > 0 && embedded.has(kind) ? `${kind}_expanded` : kind
}

const embedded: ReadonlySet<string> = new Set(
  Object.values(resources).flatMap(({ expands }: Resource) =>
    Object.values(expands).map(({ kind }: Expand) => kind),
  ),
)

function fieldSchemas(fields: Fields): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { ...fieldSchema(field), ...(!field.derive && { examples: [exampleValue(field)] }) },
    ]),
  )
}

function withExpands(
  properties: Readonly<Record<string, JsonSchema>>,
  { expands }: Resource,
): Record<string, JsonSchema> {
  const extended: Record<string, JsonSchema> = { ...properties }
  for (const [name, expand] of Object.entries(expands)) {
    const { inside } = expand
    if (inside) extended[inside] = withEntryProperty(extended[inside] ?? {}, name, inside, expand)
    else extended[name] = expandSchema(name, expand)
  }
  return extended
}

function expandSchema(name: string, { kind, how }: Expand): JsonSchema {
  const schema = how === 'one' || how === 'last' ? refer(kind) : arrayOf(kind)
  return {
    ...schema,
    description: `Only with \`expand=${name}\`; names after a dot embed objects inside it.`,
  }
}

/** Adds an expand to each entry of an array field. */
function withEntryProperty(schema: JsonSchema, name: string, inside: string, expand: Expand): JsonSchema {
  const { items = {} } = schema
  const key = name.slice(inside.length + 1)
  return {
    ...schema,
    items: { ...items, properties: { ...items.properties, [key]: expandSchema(name, expand) } },
  }
}

/** The schema of an object with the secrets that only create and reveal return. */
export function revealedSchema(resource: Resource): JsonSchema {
  const plain = expandedSchema(resource)
  const secrets = fieldSchemas(resource.reveals ?? {})
  return {
    ...plain,
    description: `${resource.about} Includes its secret.`,
    properties: { ...plain.properties, ...secrets },
    required: [...(plain.required ?? []), ...Object.keys(secrets)],
  }
}

export function pageSchema(resource: Resource): JsonSchema {
  return {
    type: 'object',
    description: `A page of ${spell(resource.plural)}.`,
    properties: {
      data: { ...arrayOf(answeredName(resource)), description: 'The objects of this page.' },
      has_next: { type: 'boolean', description: 'Whether there are more objects.' },
      cursor_next: {
        type: 'string',
        description: 'Send as `cursor` to get the next page. Absent on the last page.',
      },
      ...(resource.kind === 'event' && {
        searched_to: {
          type: 'string',
          format: 'date-time',
          description:
            'How far was searched, where the page ends before it is full, by the time that the list is sorted by.',
        },
      }),
      ...(isCounted(resource) && {
        count: {
          type: 'integer',
          description: `With \`with_count=true\`: how many objects the list has. ${mostCounted} stands for that many or more.${resource.kind === 'event' ? ` Absent if several filters narrow the events, and one of them, of an id if there is one, leaves ${mostCounted} or more.` : ''}`,
        },
      }),
    },
    required: ['data', 'has_next'],
  }
}

/**
 * The schema of a body. Unknown fields are rejected at every depth, and null means omitted. At the top level
 * of an edit, null instead clears the field, where that is possible.
 */
export function closed(schema: JsonSchema, isEdit = false): JsonSchema {
  const items = schema.items ? { items: closed(schema.items) } : {}
  if (!schema.properties) return { ...schema, ...items }
  const { required = [] } = schema
  const properties = Object.entries(schema.properties).map(([name, part]) => [
    name,
    orNull(closed(part), !isEdit && !required.includes(name)),
  ])
  return { additionalProperties: false, ...schema, properties: Object.fromEntries(properties) }
}
