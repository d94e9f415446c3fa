import { type Endpoint, endpoints } from '../../endpoints.ts'
import { importSettingParts } from '../../imports/settings.ts'
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
const job = endpoints.find(({ id }) => id === 'job.get') as Endpoint
const exampleCursor = '27560610.734.52'

/** Describes the streaming responses. They bypass the request pipeline and are not declared as endpoints. */
export function streamPaths(): Record<string, object> {
  return {
    '/events/stream': { get: stream() },
    '/events/export': { get: download(events) },
    '/members/export': { get: download(members) },
    '/jobs/{job_id}/files/{name}': { get: jobFile() },
    '/imports': { post: importFile() },
  }
}

function stream(): Part {
  return {
    operationId: 'event.stream',
    tags: [tagOf(resources.event)],
    summary: 'Stream events',
    description:
      'Streams every event of the organization as it is stored, as Server-Sent Events (`Accept: text/event-stream`) or over a WebSocket, where a message `{"type":"subscribe","filter","expand","after"}` replaces the query. Resuming from a cursor neither misses nor repeats events. The SDK does all of this: `client.events.stream()`.',
    security: [...securityOf(list), { ticket: [] }],
    parameters: [...streamParameters.map(parameterOf), expandParameter()],
    responses: {
      101: { description: 'The WebSocket is open. Send `subscribe` within 10 seconds.' },
      200: {
        description:
          'Messages until either side closes the stream, with a comment every 25 seconds to keep it alive.',
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
    'Rules in the format of webhook filters, as JSON. Defaults to all events.',
    '[{"object_type":"gadget_action","verb":"use"}]',
  ),
  query('after', { type: 'string' }, 'A cursor. Events after it are sent first.', exampleCursor),
  {
    ...query(
      'Last-Event-ID',
      { type: 'string' },
      'The same as `after`, and takes precedence over it.',
      exampleCursor,
    ),
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

interface Download {
  readonly list: Endpoint
  readonly summary: string
  readonly description: string
  readonly head: string
}

const events: Download = {
  list,
  summary: 'Export events',
  description:
    'Returns all events that match the filters in one response, however many, oldest first. If the response breaks off, it is incomplete: request it again.',
  head: 'id,created_at,recorded_at,verb,object.type,…\r\n',
}
const members: Download = {
  list: endpoints.find(({ id }) => id === 'member.list') as Endpoint,
  summary: 'Export members',
  description:
    'Returns all members that match the filters in one response, however many, oldest first. The CSV has the columns that an import reads, and no secrets. If the response breaks off, it is incomplete: request it again. `POST /exports` writes a file of any list, as it is at one moment.',
  head: 'id,external_id,name,email,groups,starts_at,ends_at,…\r\n',
}

function download({ list, summary, description, head }: Download): Part {
  const paged = ['limit', 'cursor']
  const { resource } = list
  const format: Parameter = {
    ...query('format', { type: 'string', enum: ['csv', 'ndjson'] }, 'Format of the export.', 'ndjson'),
    required: true,
  }
  const example = `${JSON.stringify(exampleObject(resource))}\n`
  const content = {
    'application/x-ndjson': { schema: { type: 'string' }, example },
    'text/csv': { schema: { type: 'string' }, example: head },
  }
  return {
    operationId: `${resource.kind}.export`,
    tags: [tagOf(resource)],
    summary,
    description,
    security: securityOf(list),
    parameters: [format, ...parametersOf(list).filter(({ name }) => !paged.includes(name))].map(parameterOf),
    responses: { 200: { description: 'One object per line.', content }, ...errorsOfList() },
  }
}

function jobFile(): Part {
  const { 200: _job, ...errors } = responsesOf(job)
  const again = query(
    'again',
    { type: 'boolean', default: false },
    'Whether to fetch a file with secrets again.',
    false,
  )
  const name: Parameter = {
    ...query('name', { type: 'string' }, 'The name of the file, from `files` of the job.', 'errors.csv'),
    in: 'path',
    required: true,
  }
  return {
    operationId: 'job.file',
    tags: [tagOf(resources.job)],
    summary: 'Fetch a file of a job',
    description:
      'Returns a file that the job has written. A file with secrets is for whoever made the job, once unless `again` is true, and each fetch is recorded as a `reveal` of each secret.',
    security: securityOf(job),
    parameters: [...parametersOf(job).filter(parameter => parameter.in === 'path'), name, again].map(
      parameterOf,
    ),
    responses: {
      200: {
        description: 'The file.',
        content: {
          'text/csv': { schema: { type: 'string' } },
          'application/x-ndjson': { schema: { type: 'string' } },
        },
      },
      ...errors,
      410: errorResponse(['gone']),
    },
  }
}

function importFile(): Part {
  const { 200: answer, 404: _found, ...errors } = responsesOf(job)
  const settings = Object.entries(importSettingParts).map(([name, { type, about }]) =>
    query(
      name,
      type.schema.type === 'object' ? { type: 'string', contentMediaType: 'application/json' } : type.schema,
      about,
      undefined,
    ),
  )
  const file = { schema: { type: 'string' }, example: exampleFile }
  return {
    operationId: 'import.create',
    tags: [tagOf(resources.job)],
    summary: 'Import a file',
    description:
      'Takes a file of at most 100 MiB and 200,000 rows, and returns the job that imports it. What makes the whole file unusable is refused at once. A dry run needs the scope `full_read_only` only.',
    security: securityOf(job),
    parameters: settings.map(parameterOf),
    requestBody: {
      required: true,
      content: {
        'text/csv': file,
        'application/x-ndjson': { schema: { type: 'string' } },
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: {
              settings: { type: 'string', contentMediaType: 'application/json' },
              file: { type: 'string', contentMediaType: 'text/csv' },
            },
            required: ['file'],
          },
        },
      },
    },
    responses: {
      200: answer,
      ...errors,
      409: errorResponse(['job_running', 'idempotency_in_progress']),
      413: errorResponse(['body_too_large']),
      415: errorResponse(['unsupported_media_type']),
      422: errorResponse(['idempotency_conflict']),
    },
  }
}

const exampleFile =
  'external_id,name,groups,from,until\r\nR-1001,Ana Garcia,Guests,2026-12-01 15:00,2026-12-05 11:00\r\n'

function errorsOfList(): Part {
  const { 200: _page, ...errors } = responsesOf(list)
  return errors
}
