import type { Endpoint } from '../../endpoints.ts'
import { list, nullable, required, shape } from '../../kit/compounds.ts'
import { choice, integer, reference, text } from '../../kit/scalars.ts'
import type { JsonSchema } from '../../kit/type.ts'
import { answeredName, arrayOf, expandedSchema, refer } from './schemas.ts'

const wouldDelete = list(
  shape({
    kind: required(choice('device', 'gadget', 'gadget_trigger', 'unlock_rule'), 'Type of the object.'),
    id: required(text(64), 'ID of the object.'),
    name: nullable(text(255), 'Name of the object.'),
  }),
  { max: 100_000 },
)

const cascaded: JsonSchema = {
  properties: {
    would_delete: {
      ...wouldDelete.schema,
      description: 'Only with `dry_run=true`: the objects inside it that would also be deleted.',
    },
  },
  required: [],
}

/** The credential kinds that the grant requested are returned with their secrets. */
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

const exposedPins = list(
  shape({
    member_pin_id: required(reference('member_pin'), 'The PIN.'),
    member_id: required(reference('member'), 'The member it belongs to.'),
  }),
  { max: 1000 },
)

/** Anyone in possession of the device can recover the PINs that it stored. */
const revoked: JsonSchema = {
  properties: {
    exposed_pins: {
      ...exposedPins.schema,
      description: 'PINs that the device knew and that you should replace, at most 1000.',
    },
    exposed_pin_count: { ...integer(0, 1_000_000).schema, description: 'Total number of these PINs.' },
  },
  required: [],
}

function extend(schema: JsonSchema, addition: JsonSchema): JsonSchema {
  return {
    ...schema,
    properties: { ...schema.properties, ...addition.properties },
    required: [...(schema.required ?? []), ...(addition.required ?? [])],
  }
}

/** Returns the schema of the endpoint's successful response. */
export function answerSchema({ id, verb, answer, resource, query }: Endpoint): JsonSchema {
  if (id === 'grant.create') return extend(expandedSchema(resource), granted)
  if (id === 'device.revoke_credentials') return extend(expandedSchema(resource), revoked)
  if (verb === 'delete' && query.cascade) return extend(expandedSchema(resource), cascaded)
  if (answer === 'object') return refer(answeredName(resource))
  if (answer === 'page' || answer === 'revealed') return refer(`${resource.kind}_${answer}`)
  return 'page_of' in answer ? refer(`${answer.page_of}_page`) : answer.schema
}
