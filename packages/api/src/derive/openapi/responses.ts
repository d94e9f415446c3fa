import type { Endpoint } from '../../endpoints.ts'
import { type ErrorType, errorTypes } from '../../errors.ts'
import type { JsonSchema } from '../../kit/type.ts'
import { answerSchema } from './answers.ts'
import { errorsOf, exampleError, takesKey } from './errors.ts'
import { exampleAnswer } from './examples.ts'
import { refer } from './schemas.ts'

type Part = Record<string, unknown>

/** What is sent, by its media type. */
export type Contents = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>

export interface Success {
  readonly description: string
  readonly headers?: Part
  readonly content: Contents
}

export const headers: Readonly<Record<string, Part>> = {
  'X-Request-Id': header('string', "Identifies this request in the service's logs.", 'req_9f2c4e7a1b3d_1k'),
  ETag: header('string', 'Represents the editable fields. Send it back in `If-Match`.', '"5f0d1c9be2"'),
  'RateLimit-Limit': header('integer', 'Requests per second that the caller can make.', 500),
  'RateLimit-Remaining': header('integer', 'Requests the caller can make right now.', 999),
  'RateLimit-Reset': header('integer', 'Seconds until the full allowance is restored.', 1),
  'Retry-After': header('integer', 'Seconds to wait before retrying.', 1),
  'Idempotent-Replayed': header('string', '`true` on a response that is replayed.', 'true'),
  'WWW-Authenticate': header('string', 'How to authenticate.', 'Bearer'),
}

function header(type: string, description: string, example: unknown): Part {
  return { description, schema: { type }, example }
}

function pick(names: readonly string[]): Part {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

const rate = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

function successHeaders(endpoint: Endpoint): string[] {
  const hasTag = endpoint.answer === 'object' || endpoint.answer === 'revealed'
  return [
    'X-Request-Id',
    ...(hasTag ? ['ETag'] : []),
    ...rate,
    ...(takesKey(endpoint) ? ['Idempotent-Replayed'] : []),
  ]
}

export function responsesOf(endpoint: Endpoint): Part {
  return { 200: successOf(endpoint), ...errorReferences(errorsOf(endpoint)) }
}

export function successOf(endpoint: Endpoint): Success {
  return {
    description: endpoint.answer === 'page' ? 'A page of objects.' : 'Done.',
    headers: pick(successHeaders(endpoint)),
    content: {
      'application/json': { schema: answerSchema(endpoint), example: exampleAnswer(endpoint) },
    },
  }
}

/** Refers to the response of each status. */
export function errorReferences(errors: readonly ErrorType[]): Part {
  const responses = [...groupErrors(errors)].map(([status, types]) => [
    status,
    { $ref: `#/components/responses/${groupName(types)}` },
  ])
  return Object.fromEntries(responses)
}

function groupErrors(errors: readonly ErrorType[]): Map<number, ErrorType[]> {
  return Map.groupBy(errors, type => errorTypes[type].status)
}

function groupName(types: readonly ErrorType[]): string {
  return types.join('_or_')
}

/** Returns the error responses that operations with these errors refer to. */
export function errorResponses(errors: readonly (readonly ErrorType[])[]): Part {
  const groups = errors.flatMap(types => [...groupErrors(types).values()])
  return Object.fromEntries(groups.map(types => [groupName(types), errorResponse(types)]))
}

/** The HTTP parser raises these errors before the caller is known, so they have no rate limit headers. */
const unmetered: readonly ErrorType[] = ['request_timeout', 'uri_too_long', 'headers_too_large']
const retried: readonly ErrorType[] = [
  'rate_limited',
  'unavailable',
  'storage_full',
  'idempotency_in_progress',
]

function errorResponse(types: ErrorType[]): Part {
  const names = [
    'X-Request-Id',
    ...(types.some(type => unmetered.includes(type)) ? [] : rate),
    ...(types.some(type => retried.includes(type)) ? ['Retry-After'] : []),
    ...(types.includes('unauthenticated') ? ['WWW-Authenticate'] : []),
  ]
  const examples = types.map(type => [type, { summary: errorTypes[type].about, value: exampleError(type) }])
  return {
    description: types.map(type => errorTypes[type].about).join(' Or: '),
    headers: pick(names),
    content: {
      'application/json': {
        schema: { ...refer('error'), properties: { type: { enum: types } } },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'The shape of every error.',
  properties: {
    type: {
      type: 'string',
      enum: Object.keys(errorTypes),
      description: 'Stable code; new ones may be added.',
    },
    message: { type: 'string', description: 'Which value was wrong, and what would be valid.' },
    args: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Details for programs, such as `field` and `reason`.',
    },
  },
  required: ['type', 'message', 'args'],
}
