import type { ErrorBody, FilterRule, ObjectOf, Resources } from '@gatehouse-access/api'
import { ApiError, ConnectionError } from './api-error.ts'
import { encodeQuery } from './list-query.ts'
import { delayBefore, pause } from './retry.ts'
import { explain, parse, type SenderOptions, tokenOf } from './send.ts'
import { readParts } from './server-sent-events.ts'
import { userAgent } from './user-agent.ts'

export interface StreamOptions {
  /** Rules in the format of webhook filters. Defaults to all events. */
  readonly filter?: readonly FilterRule[]
  readonly expand?: readonly string[]
  /** The cursor of the last event that was handled. Defaults to now. */
  readonly after?: string
  /** Called for every connection, once everything after this cursor will follow. */
  readonly onReady?: (cursor: string) => void
  readonly signal?: AbortSignal
}

export interface StreamedEvent<Expanded = unknown> {
  readonly event: ObjectOf<Resources['event']> & Expanded
  /** Store the cursor once the event is handled. Pass it as `after` to continue from there. */
  readonly cursor: string
}

type Message =
  | { readonly type: 'ready'; readonly cursor: string }
  | ({ readonly type: 'event' } & StreamedEvent)
  | { readonly type: 'error'; readonly error: ErrorBody }

/** The service pings every 25 seconds. After more than twice that without data, the connection is dead. */
const longestSilence = 55_000

/** The state of a stream across its connections. */
interface Place {
  after: string | undefined
  /** Consecutive connections that received nothing. */
  failures: number
  /** The token that was rejected last. */
  refused: string | undefined
}

/**
 * Yields every event as it is stored, without gaps or repeats, until the loop is left or the signal aborts.
 *
 *     connecting ── 200 ──▶ reading ── cut off, silent, or ended by the service ──▶ waiting
 *       ▲ ├── no response, 429, 5xx: waiting, longer each time
 *       │ ├── 401: reconnects immediately with another token, if tokens come from a function
 *       │ └── any other error: thrown, because a retry would not help
 *       └── after waiting: connecting again, after the last event
 */
export async function* streamEvents(
  options: SenderOptions,
  wish: StreamOptions = {},
): AsyncGenerator<StreamedEvent, void, undefined> {
  const place: Place = { after: wish.after, failures: 0, refused: undefined }
  while (!wish.signal?.aborted)
    try {
      yield* readOnce(options, wish, place)
    } catch (error) {
      if (wish.signal?.aborted) return
      await waitAfter(error, options, wish, place)
    }
}

async function waitAfter(
  error: unknown,
  { token }: SenderOptions,
  { signal }: StreamOptions,
  place: Place,
): Promise<void> {
  if (error instanceof Refusal) {
    // The first rejection is not a connection failure: the token merely expired.
    if (typeof token === 'string' || place.refused !== undefined) throw error.answer
    place.refused = error.token
    return
  }
  if (!mayReconnect(error)) throw error
  await pause(delayBefore(place.failures++, error), signal).catch(() => undefined)
}

function mayReconnect(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  return error instanceof ApiError && (error.status === 429 || error.status >= 500)
}

/** The service rejected the token. */
class Refusal extends Error {
  readonly token: string
  readonly answer: ApiError

  constructor(token: string, answer: ApiError) {
    super(answer.message)
    this.token = token
    this.answer = answer
  }
}

async function* readOnce(
  options: SenderOptions,
  wish: StreamOptions,
  place: Place,
): AsyncGenerator<StreamedEvent, void, undefined> {
  using connection = guard(wish.signal)
  const token = await tokenOf(options, place.refused)
  const body = await connect(options, wish, place, token, connection)
  try {
    for await (const text of readParts(body)) {
      connection.touch()
      const message = text === undefined ? undefined : (parse(text) as Message | undefined)
      if (message === undefined) continue
      if (message.type === 'error') throw endingOf(message.error, token)
      place.after = message.cursor
      Object.assign(place, { failures: 0, refused: undefined })
      if (message.type === 'event') yield { event: message.event, cursor: message.cursor }
      else wish.onReady?.(message.cursor)
    }
  } catch (cause) {
    if (cause instanceof Refusal || cause instanceof ConnectionError) throw cause
    throw new ConnectionError(`the event stream broke off: ${explain(cause)}`, { cause })
  }
  throw new ConnectionError('the event stream ended')
}

/** An expired token is replaced. After any other announced end, the stream reconnects. */
function endingOf({ type, message }: { type: string; message: string }, token: string): Error {
  if (type !== 'token_ended') return new ConnectionError(`the service closed the event stream: ${message}`)
  const body: Partial<ErrorBody> = { type: 'unauthenticated', message, args: {} }
  return new Refusal(token, new ApiError(new Response(null, { status: 401 }), body))
}

async function connect(
  options: SenderOptions,
  { filter, expand }: StreamOptions,
  { after }: Place,
  token: string,
  { signal }: Guard,
): Promise<ReadableStream<Uint8Array>> {
  const query = encodeQuery({ ...(filter && { filter: JSON.stringify(filter) }), ...(expand && { expand }) })
  const url = `${options.base_url.replace(/\/+$/, '')}/events/stream${query}`
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'text/event-stream',
    ...userAgent,
    ...(after !== undefined && { 'last-event-id': after }),
  }
  const response = await (options.fetch ?? fetch)(url, { headers, signal }).catch(cause => {
    throw new ConnectionError(`GET ${url} got no response: ${explain(cause)}`, { cause })
  })
  if (response.ok && response.body) return response.body
  const answer = new ApiError(response, parse(await response.text().catch(() => '')) as Partial<ErrorBody>)
  throw response.status === 401 ? new Refusal(token, answer) : answer
}

interface Guard extends Disposable {
  readonly signal: AbortSignal
  /** Restarts the silence timeout. */
  touch(): void
}

/** Ends a connection when the caller aborts, nothing is received for too long, or the loop is left. */
function guard(outer: AbortSignal | undefined): Guard {
  const end = new AbortController()
  const abort = () => end.abort(outer?.reason)
  const silent = () => end.abort(new ConnectionError('nothing was received for too long'))
  let timer = setTimeout(silent, longestSilence)
  outer?.addEventListener('abort', abort, { once: true })
  return {
    signal: end.signal,
    touch() {
      clearTimeout(timer)
      timer = setTimeout(silent, longestSilence)
    },
    [Symbol.dispose]() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', abort)
      end.abort()
    },
  }
}
