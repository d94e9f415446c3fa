import type { Endpoint } from '../../endpoints.ts'
import { list, nullable, required, shape } from '../../kit/compounds.ts'
import { choice, text } from '../../kit/scalars.ts'
import type { JsonSchema } from '../../kit/type.ts'
import { arrayOf, objectSchema, refer } from './schemas.ts'

const wouldDelete = list(
  shape({
    kind: required(choice('device', 'gadget', 'gadget_trigger'), 'Kind of the object.'),
    id: required(text(64), 'Its id.'),
    name: nullable(text(255), 'Its name.'),
  }),
  { max: 100_000 },
)

const cascaded: JsonSchema = {
  properties: {
    would_delete: { ...wouldDelete.schema, description: 'Only with `dry_run=true`: what lives inside it.' },
  },
  required: [],
}

/** Credential kinds that the grant asked for are answered with their secrets. */
const granted: JsonSchema = {
  properties: {
    emails: arrayOf('member_email'),
    magic_links: arrayOf('member_magic_link_revealed'),
    pins: arrayOf('member_pin_revealed'),
    cards: arrayOf('member_card'),
    group_associations: arrayOf('member_group_association'),
  },
  required: ['group_associations'],
}

function extend(schema: JsonSchema, addition: JsonSchema): JsonSchema {
  return {
    ...schema,
    properties: { ...(schema.properties as object), ...(addition.properties as object) },
    required: [...(schema.required as string[]), ...(addition.required as string[])],
  }
}

/** What a successful answer of the endpoint looks like. */
export function answerSchema({ id, verb, answer, resource, query }: Endpoint): JsonSchema {
  if (id === 'grant.create') return extend(objectSchema(resource), granted)
  if (verb === 'delete' && query.cascade) return extend(objectSchema(resource), cascaded)
  if (answer === 'object') return refer(resource.kind)
  if (answer === 'page' || answer === 'revealed') return refer(`${resource.kind}_${answer}`)
  return 'page_of' in answer ? refer(`${answer.page_of}_page`) : answer.schema
}
