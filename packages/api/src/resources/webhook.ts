import { type Condition, type Filter, findFilter } from '../derive/filters.ts'
import { invalid } from '../errors.ts'
import { list } from '../kit/compounds.ts'
import { field, identity, lifecycle, metadataField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { bytes, flag, reference, text, url } from '../kit/scalars.ts'
import { clip, join, refuse, type Type } from '../kit/type.ts'
import { event, objectTypes, verbs } from './event.ts'

/** Exactly one of `object_type` and `object.type`, `verb` or null for any, and any list-events filter by its name. */
export type FilterRule = { [name: string]: string | null }

const filterRule: Type<FilterRule> = {
  schema: {
    type: 'object',
    properties: {
      object_type: { type: 'string', enum: objectTypes, description: 'Matches `object.type`.' },
      'object.type': {
        type: 'string',
        enum: objectTypes,
        description: 'The same, spelled as in list events.',
      },
      verb: { type: ['string', 'null'], enum: [...verbs, null], description: 'Null or absent: any verb.' },
    },
    additionalProperties: { type: 'string', description: 'Any list-events filter by its name.' },
    oneOf: [{ required: ['object_type'] }, { required: ['object.type'] }],
  },
  column: 'jsonb',
  parse(value, path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return refuse(path, 'a filter rule', value)
    const given = ['object_type', 'object.type'].filter(key => Object.hasOwn(value, key))
    if (given.length !== 1)
      throw invalid(path, `${path} must have exactly one of object_type and object.type`)
    return Object.fromEntries(
      Object.entries(value).map(([name, held]) => [name, parseEntry(name, held, join(path, clip(name)))]),
    )
  },
}

function parseEntry(name: string, value: unknown, path: string): string | null {
  if (name === 'verb' && value === null) return null
  const filter = eventFilter(name)
  if (!filter) throw invalid(path, `${path} is no filter of events`)
  return filter.type.parse(value, path) as string
}

function eventFilter(name: string): Filter | undefined {
  return findFilter(event, name === 'object_type' ? 'object.type' : name)
}

/** The conditions of a stored rule, for either interpreter. */
export function ruleConditions(rule: FilterRule): Condition[] {
  return Object.entries(rule).flatMap(([name, value]) => {
    const filter = eventFilter(name)
    return filter && value !== null ? [{ filter, value }] : []
  })
}

const { is_deleted, created_at } = lifecycle()

export const webhook = resource({
  kind: 'webhook',
  plural: 'webhooks',
  path: '/webhooks',
  about: 'Pushes matching events to a URL. Seen only by the application that created it.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  owned_by_application: true,
  restorable: false,
  reveals: {
    secret: field(text(255), {
      about: 'Key of the signatures; shown this once.',
      example: 'whsec_4vJ8mQ2sX7kRz1Wc9LhTn5Yb0PfGdE3uVxAaKiSoMqY=',
    }),
  },
  fields: {
    ...identity('webhook'),
    url: field(url, {
      about: 'Where events are sent.',
      example: 'https://example.com/hook',
      create: 'required',
      edit: true,
    }),
    filter: field(list(filterRule, { max: 100 }), {
      about: 'An event is sent when at least one rule matches; an empty array matches nothing.',
      example: [{ object_type: 'gadget_action', verb: 'use' }],
      create: 'optional',
      edit: true,
      initial: [],
    }),
    expand: field(list(text(255), { max: 50 }), {
      about: 'Expands of the events it delivers.',
      example: ['object_gadget'],
      create: 'optional',
      edit: true,
      initial: [],
    }),
    is_enabled: field(flag, {
      about: 'False: nothing is sent.',
      example: true,
      create: 'optional',
      edit: true,
      initial: true,
    }),
    oauth_application_id: field(reference('oauth_application'), {
      about: 'The application it belongs to.',
      hidden: true,
    }),
    secret_ciphertext: field(bytes, { about: 'The encrypted secret.', hidden: true }),
    is_deleted,
    created_at,
    metadata: metadataField(),
  },
})
