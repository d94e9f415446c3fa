import { Readable } from 'node:stream'
import { invalid } from '@gatehouse-access/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type EventMessage,
  messagesFor,
  parseWish,
  readyMessage,
  type Wish,
} from '../../delivery/stream/messages.ts'
import { type Subscription, subscribe } from '../../delivery/stream/subscription.ts'
import { every, type Timers } from '../../flow/timers.ts'
import type { Service } from '../api/exchange.ts'
import { queryOf } from '../kit/path-and-query.ts'
import type { Admission } from './admission.ts'
import { type Ending, endings, type Sessions } from './sessions.ts'

const pingGap = 25_000
const largestPiece = 32 * 1024

/** Sends the same messages as a WebSocket. Their id is the cursor, so browsers resume automatically. */
export async function serveEvents(
  service: Service,
  sessions: Sessions,
  request: FastifyRequest,
  reply: FastifyReply,
  { grant, holder }: Admission,
): Promise<FastifyReply> {
  const wish = readWish(request, grant.scopes)
  const closed = new AbortController()
  // The stream itself would notice a disconnected reader only at the next event.
  reply.raw.once('close', () => closed.abort())
  const { organization_id } = grant
  const { timers } = service.context
  const subscription = await subscribe(service.context, {
    organization_id,
    after: wish.after,
    signal: closed.signal,
  })
  let last = ''
  const end = (reason: Ending) => {
    if (closed.signal.aborted) return
    sessions.countEnding(reason)
    const { message } = endings[reason]
    last = data({
      cursor: '',
      text: JSON.stringify({ type: 'error', error: { type: reason, message, args: {} } }),
    })
    closed.abort()
  }
  const remove = sessions.add({ holder, end })
  const lines = streamLines(service.context, grant, wish, subscription, closed.signal, () => last)
  const stream = Readable.from(lines, { highWaterMark: 4 })
  const stopWatching = watchReader(timers, stream, request, sessions.longest_stall, () => end('too_slow'))
  stream.once('close', () => {
    closed.abort()
    remove()
    stopWatching()
  })
  return reply.headers({ 'content-type': 'text/event-stream; charset=utf-8' }).send(stream)
}

function readWish(request: FastifyRequest, scopes: readonly string[]): Wish {
  const { ticket: _ticket, filter, expand, after, ...rest } = queryOf(request)
  const unknown = Object.keys(rest)[0]
  if (unknown !== undefined)
    throw invalid(unknown, `unknown query parameter ${unknown}; allowed are: filter, expand, after, ticket`)
  const message = {
    type: 'subscribe',
    ...(filter !== undefined && { filter: parseJson(String(filter)) }),
    ...(expand && { expand: String(expand).split(',') }),
    after: request.headers['last-event-id'] ?? after,
  }
  return parseWish(message, scopes)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('filter', 'filter must be a JSON array of filter rules')
  }
}

async function* streamLines(
  context: Service['context'],
  grant: Admission['grant'],
  wish: Wish,
  subscription: Subscription,
  signal: AbortSignal,
  last: () => string,
): AsyncGenerator<string, void, undefined> {
  yield data(readyMessage(subscription.cursor))
  for await (const piece of readPieces(context, grant, wish, subscription)) {
    // Otherwise a slow reader would get the rest of a batch that was read before its token ended.
    if (signal.aborted) break
    yield piece
  }
  if (last()) yield last()
}

async function* readPieces(
  context: Service['context'],
  grant: Admission['grant'],
  wish: Wish,
  subscription: Subscription,
): AsyncGenerator<string, void, undefined> {
  for await (const events of subscription.batches())
    for await (const messages of messagesFor({ db: context.db, context }, grant, wish, events))
      yield* pieces(messages)
}

/** Splits messages into small pieces, because several pieces are buffered for a slow reader. */
function* pieces(messages: readonly EventMessage[]): Generator<string, void, undefined> {
  let piece = ''
  for (const message of messages) {
    piece += data(message)
    if (piece.length < largestPiece) continue
    yield piece
    piece = ''
  }
  if (piece) yield piece
}

function data({ cursor, text }: EventMessage): string {
  return `${cursor && `id: ${cursor}\n`}data: ${text}\n\n`
}

/** Sends comments as pings, and gives up on a reader that takes nothing for `longest_stall`. */
function watchReader(
  timers: Timers,
  stream: Readable,
  { raw: { socket } }: FastifyRequest,
  longest_stall: number,
  giveUp: () => void,
): () => void {
  let stalled = 0
  const stopChecking = every(timers, 1000, () => {
    stalled = socket.writableNeedDrain ? stalled + 1000 : 0
    if (stalled >= longest_stall) {
      giveUp()
      stream.destroy()
    }
  })
  const stopPings = every(timers, pingGap, () => {
    if (!socket.writableNeedDrain) stream.push(': ping\n\n')
  })
  return () => {
    stopChecking()
    stopPings()
  }
}
