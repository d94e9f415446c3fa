import { RequestError } from '@gatehouse-access/api'
import type { WebSocket } from 'ws'
import { messagesFor, parseWish, readyMessage, type Wish } from '../../delivery/stream/messages.ts'
import { subscribe } from '../../delivery/stream/subscription.ts'
import { every, type Timers } from '../../flow/timers.ts'
import type { Service } from '../api/exchange.ts'
import { toRequestError } from '../kit/errors.ts'
import type { Admission } from './admission.ts'
import { type Ending, endings, type Sessions } from './sessions.ts'

const longestMessage = 64 * 1024
const pingGap = 25_000
const longestSilence = 10_000
/** Bytes that can be buffered in the socket before the stream waits for the reader. */
const highWater = 256 * 1024

/**
 * Serves one WebSocket.
 *
 *   open ── subscribe ──▶ streaming ── token ended, reader too slow, service stops ──▶ closed with a code
 *     └── an invalid message: an error, and the client can retry; no subscribe for 10 s: closed
 */
export function serveWebSocket(
  { context }: Service,
  sessions: Sessions,
  socket: WebSocket,
  { grant, holder }: Admission,
): void {
  const { timers } = context
  const closed = new AbortController()
  const end = (reason: Ending) => {
    if (closed.signal.aborted) return
    closed.abort()
    sessions.countEnding(reason)
    const { code, message } = endings[reason]
    if (code >= 4000) send(socket, { type: 'error', error: { type: reason, message, args: {} } })
    socket.close(code, reason)
    timers.later(5000, () => socket.terminate())
  }
  const remove = sessions.add({ holder, end })
  const awaitWish = () => timers.later(longestSilence, () => end('not_subscribed'))
  let stopWaiting = awaitWish()
  const stopPings = keepAlive(timers, socket, () => end('not_alive'))
  socket.on('close', () => {
    closed.abort()
    remove()
    stopWaiting()
    stopPings()
  })
  socket.on('error', () => socket.terminate())
  let isSubscribed = false
  socket.on('message', (data: Buffer) => {
    if (data.length > longestMessage) return socket.close(1009)
    try {
      if (isSubscribed) throw new RequestError('invalid_request', 'this connection is already subscribed')
      const wish = parseWish(JSON.parse(String(data)), grant.scopes)
      isSubscribed = true
      stopWaiting()
      const reader = { socket, timers, longest_stall: sessions.longest_stall }
      stream(context, reader, grant, wish, closed.signal, end).catch(error => {
        if (!(error instanceof RequestError)) return end('failed')
        isSubscribed = false
        stopWaiting = awaitWish()
        send(socket, { type: 'error', error: error.toBody() })
      })
    } catch (error) {
      const failure = error instanceof SyntaxError ? noJson(error) : toRequestError(error, '')
      send(socket, { type: 'error', error: failure.toBody() })
    }
  })
}

function noJson(cause: SyntaxError): RequestError {
  return new RequestError('invalid_request', 'a message must be JSON', { cause })
}

interface Reader {
  readonly socket: WebSocket
  readonly timers: Timers
  readonly longest_stall: number
}

async function stream(
  context: Service['context'],
  reader: Reader,
  grant: Admission['grant'],
  wish: Wish,
  signal: AbortSignal,
  end: (reason: Ending) => void,
): Promise<void> {
  const { organization_id } = grant
  const { socket } = reader
  const subscription = await subscribe(context, { organization_id, after: wish.after, signal })
  socket.send(readyMessage(subscription.cursor).text)
  for await (const events of subscription.batches())
    for await (const messages of messagesFor({ db: context.db, context }, grant, wish, events))
      for (const { text } of messages) {
        if (signal.aborted) return
        if (socket.bufferedAmount < highWater) socket.send(text)
        else if (!(await sendAndWait(reader, text))) return end('too_slow')
      }
}

/** Waits until the text is written to the socket. Returns false if that takes longer than `longest_stall`. */
function sendAndWait({ socket, timers, longest_stall }: Reader, text: string): Promise<boolean> {
  return new Promise(resolve => {
    const cancel = timers.later(longest_stall, () => resolve(false))
    socket.send(text, () => {
      cancel()
      resolve(true)
    })
  })
}

function send(socket: WebSocket, message: object): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
}

function keepAlive(timers: Timers, socket: WebSocket, giveUp: () => void): () => void {
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  return every(timers, pingGap, () => {
    if (!isAlive) return giveUp()
    isAlive = false
    socket.ping()
  })
}
