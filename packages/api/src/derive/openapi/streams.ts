import { type Endpoint, endpoints } from '../../endpoints.ts'
import type { JsonSchema } from '../../kit/type.ts'
import { resources } from '../../resources/index.ts'
import { exampleObject } from './examples.ts'
import { tagOf } from './names.ts'
import { parameterOf } from './operations.ts'
import { type Parameter, parametersOf } from './parameters.ts'
import { errorResponse, responsesOf } from './responses.ts'
import { securityOf } from './security.ts'

type Part = Record<string, unknown>

const list = endpoints.find(({ id }) => id === 'event.list') as Endpoint
const exampleCursor = '27560610.734.52'

/** Answers that are streams pass no pipeline and are no endpoints; they are described here. */
export function streamPaths(): Record<string, object> {
  return { '/events/stream': { get: stream() }, '/events/export': { get: download() } }
}

function stream(): Part {
  return {
    operationId: 'event.stream',
    tags: [tagOf(resources.event)],
    summary: 'Stream events',
    description:
      'Every event of the organization as it is stored, as Server-Sent Events (`Accept: text/event-stream`) or over a WebSocket, where a message `{"type":"subscribe","filter","expand","after"}` takes the place of the query. Resuming from a cursor misses nothing and repeats nothing. The SDK does all of it: `client.events.stream()`.',
    security: [...securityOf(list), { ticket: [] }],
    parameters: [...streamParameters.map(parameterOf), expandParameter()],
    responses: {
      101: { description: 'A WebSocket is open; send `subscribe` within 10 seconds.' },
      200: {
        description: 'Messages until either side ends it; a comment every 25 seconds says that it lives.',
        content: { 'text/event-stream': { schema: { type: 'string' }, example: exampleMessages() } },
      },
      ...errorsOfList(),
      410: errorResponse(['cursor_ahead']),
    },
  }
}

const streamParameters: readonly Parameter[] = [
  query(
    'filter',
    { type: 'string', contentMediaType: 'application/json' },
    'Rules as a webhook has them, as JSON; left out: everything.',
    '[{"object_type":"gadget_action","verb":"use"}]',
  ),
  query('after', { type: 'string' }, 'A cursor: what lies behind it comes first.', exampleCursor),
  {
    ...query('Last-Event-ID', { type: 'string' }, 'The same; goes before `after`.', exampleCursor),
    in: 'header',
  },
]

function query(name: string, schema: JsonSchema, about: string, example: unknown): Parameter {
  return { name, in: 'query', required: false, schema, about, example }
}

function expandParameter(): Part {
  return parameterOf(parametersOf(list).find(({ name }) => name === 'expand') as Parameter)
}

function exampleMessages(): string {
  const event = { type: 'event', event: exampleObject(resources.event), cursor: exampleCursor }
  const lines = [
    { id: '27560610.733.51', data: { type: 'ready', cursor: '27560610.733.51' } },
    { id: exampleCursor, data: event },
  ]
  return lines.map(({ id, data }) => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`).join('')
}

function download(): Part {
  const paged = ['limit', 'cursor']
  const format: Parameter = {
    ...query('format', { type: 'string', enum: ['csv', 'ndjson'] }, 'How events are written.', 'ndjson'),
    required: true,
  }
  return {
    operationId: 'event.export',
    tags: [tagOf(resources.event)],
    summary: 'Export events',
    description:
      'All events that the filters match at once, of any number, oldest first. An answer that breaks off is not whole: ask again.',
    security: securityOf(list),
    parameters: [format, ...parametersOf(list).filter(({ name }) => !paged.includes(name))].map(parameterOf),
    responses: { 200: { description: 'Every event on a line.', content: exported }, ...errorsOfList() },
  }
}

const exported = {
  'application/x-ndjson': {
    schema: { type: 'string' },
    example: `${JSON.stringify(exampleObject(resources.event))}\n`,
  },
  'text/csv': { schema: { type: 'string' }, example: 'id,created_at,recorded_at,verb,object.type,…\r\n' },
}

function errorsOfList(): Part {
  const { 200: _page, ...errors } = responsesOf(list)
  return errors
}
