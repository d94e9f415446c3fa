import { type Condition, type Filter, findFilter } from '../derive/filters.ts'
import { invalid } from '../errors.ts'
import { list, nullable, optional, required, shape } from '../kit/compounds.ts'
import { field, identity, lifecycle, metadataField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { bytes, flag, integer, reference, text, timestamp, url } from '../kit/scalars.ts'
import { clip, join, refuse, type Type } from '../kit/type.ts'
import { event, objectTypes, verbs } from './event.ts'

/**
 * Exactly one of `object_type` and `object.type`, a `verb` or null for any, and any filter of the event list
 * by name. Null for `object.job_id` is for events outside of any job.
 */
export type FilterRule = { [name: string]: string | null }

const filterRule: Type<FilterRule> = {
  schema: {
    type: 'object',
    properties: {
      object_type: { type: 'string', enum: objectTypes, description: 'Matches `object.type`.' },
      'object.type': {
        type: 'string',
        enum: objectTypes,
        description: 'The same, spelled as in the event filters.',
      },
      verb: { type: ['string', 'null'], enum: [...verbs, null], description: 'Null or absent for any verb.' },
      'object.job_id': {
        type: ['string', 'null'],
        description: 'Of this job. Null: outside of any job; absent: either.',
      },
    },
    additionalProperties: {
      type: 'string',
      description: 'Any event filter, by its name, except `member_group_id` and `tag_id`.',
    },
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
  if (!filter) throw invalid(path, `${path} is not an event filter`)
  if (filter.through) throw invalid(path, `${path} filters only lists and exports of events`)
  if (filter.or_none && value === null) return null
  return filter.type.parse(value, path) as string
}

function eventFilter(name: string): Filter | undefined {
  return findFilter(event, name === 'object_type' ? 'object.type' : name)
}

/** Returns the conditions of a stored rule, for SQL and for `matches`. */
export function ruleConditions(rule: FilterRule): Condition[] {
  return Object.entries(rule).flatMap(([name, value]) => {
    const filter = eventFilter(name)
    return filter && (value !== null || filter.or_none) ? [{ filter, value }] : []
  })
}

const { is_deleted, created_at } = lifecycle()

/** The maximum number of events that one replay sends. */
export const longestReplay = 10_000

const tested = shape({
  webhook_delivery_id: required(reference('webhook_delivery'), 'The delivery that carries the test.'),
})

const replayed = shape({
  count: required(integer(0, longestReplay), 'Number of deliveries that were queued.'),
  continue_at: nullable(timestamp, 'Where to start the next replay. Null if the range is complete.'),
})

export const webhook = resource({
  kind: 'webhook',
  plural: 'webhooks',
  path: '/webhooks',
  about: 'Sends matching events to a URL. Visible only to the application that created it.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  owned_by_application: true,
  restorable: false,
  actions: {
    test: {
      method: 'POST',
      path: '/test',
      about:
        'Sends a test event (`use` `webhook`), whatever the filter. Look at the delivery for the outcome.',
      scope: 'write',
      answer: tested,
    },
    replay: {
      method: 'POST',
      path: '/replay',
      about: `Sends the matching events of a time range again, oldest first, at most ${longestReplay} per call.`,
      scope: 'write',
      body: {
        starts_at: required(timestamp, 'Events recorded at or after this time.'),
        ends_at: optional(timestamp, 'Events recorded before this time. Defaults to now.'),
      },
      answer: replayed,
    },
  },
  reveals: {
    secret: field(text(255), {
      personal: 'secret',
      about: 'Key of the signatures. Shown only once.',
      example: 'whsec_4vJ8mQ2sX7kRz1Wc9LhTn5Yb0PfGdE3uVxAaKiSoMqY=',
    }),
  },
  fields: {
    ...identity('webhook'),
    url: field(url, {
      personal: 'technical',
      about: 'URL that events are sent to.',
      example: 'https://example.com/hook',
      create: 'required',
      edit: true,
    }),
    filter: field(list(filterRule, { max: 100 }), {
      personal: null,
      about: 'An event is sent if at least one rule matches. An empty array matches nothing.',
      example: [{ object_type: 'gadget_action', verb: 'use' }],
      create: 'optional',
      edit: true,
      initial: [],
    }),
    expand: field(list(text(255), { max: 50 }), {
      personal: null,
      about: 'Expands for the events it sends.',
      example: ['object_gadget'],
      create: 'optional',
      edit: true,
      initial: [],
    }),
    is_enabled: field(flag, {
      about: 'If false, nothing is sent.',
      example: true,
      create: 'optional',
      edit: true,
      initial: true,
    }),
    disabled_reason: field(text(64), {
      personal: null,
      about:
        '`failing` if the service turned it off because the receiver accepted nothing for days, `moved` if the organization came from another installation.',
      example: null,
      nullable: true,
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
