import { resources } from '../../../resources/index.ts'
import { scopesOf } from '../../../scopes.ts'
import { errorsOf, inCatalogOrder } from '../errors.ts'
import { exampleObject } from '../examples.ts'
import { type Parameter, parametersOf, query } from '../parameters.ts'
import { endpointOf, type Transfer } from './transfer.ts'

const exampleCursor = '27560610.734.52'

export function streamEvents(): Transfer {
  const list = endpointOf('event.list')
  return {
    ...{ id: 'event.stream', method: 'GET', path: '/events/stream', resource: resources.event },
    title: 'Stream events',
    about:
      'Streams every event of the organization as it is stored, as Server-Sent Events (`Accept: text/event-stream`) or over a WebSocket, where a message `{"type":"subscribe","filter","expand","after"}` replaces the query. Resuming from a cursor neither misses nor repeats events. The SDK does all of this: `client.events.stream()`.',
    scopes: scopesOf(list),
    takes_ticket: true,
    parameters: [...streamParameters, ...parametersOf(list).filter(({ name }) => name === 'expand')],
    answer: {
      description:
        'Messages until either side closes the stream, with a comment every 25 seconds to keep it alive.',
      content: { 'text/event-stream': { schema: { type: 'string' }, example: exampleMessages() } },
    },
    upgrade: 'The WebSocket is open. Send `subscribe` within 10 seconds.',
    errors: inCatalogOrder(new Set([...errorsOf(list), 'cursor_ahead'])),
    guide: 'stream',
    in_sdk: 'loop',
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

function exampleMessages(): string {
  const event = { type: 'event', event: exampleObject(resources.event), cursor: exampleCursor }
  const lines = [
    { id: '27560610.733.51', data: { type: 'ready', cursor: '27560610.733.51' } },
    { id: exampleCursor, data: event },
  ]
  return lines.map(({ id, data }) => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`).join('')
}
