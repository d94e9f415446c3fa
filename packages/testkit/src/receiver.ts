import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { slowness } from './slowness.ts'

/** A request that reached the receiver. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The event in the body. */
  readonly event: { readonly id: string; readonly [name: string]: unknown }
  /** When the request was complete, in milliseconds of `performance.now()`. */
  readonly at: number
}

/** How the receiver responds. A number is a status. */
export type Respond = number | ((response: ServerResponse, received: Received) => void)

/** A real HTTP server that webhooks are sent to. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: Received[]
  respond: Respond
  /** Waits until `count` requests have arrived; longer on a busy machine. */
  waitFor(count: number, milliseconds?: number): Promise<Received[]>
}

export async function receiver(respond: Respond = 200): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    if (!body) return
    const { url: path = '/', headers } = request
    const entry = { path, headers, body, event: JSON.parse(body.toString()), at: performance.now() }
    received.push(entry)
    if (typeof self.respond === 'function') self.respond(response, entry)
    else response.writeHead(self.respond).end('{"ok":true}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const self: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respond,
    async waitFor(count, milliseconds = 30_000) {
      const began = performance.now()
      const isOver = () => performance.now() - began > milliseconds * slowness()
      while (received.length < count && !isOver()) await sleep(5)
      if (received.length < count)
        throw new Error(`${received.length} of ${count} requests came within ${milliseconds} ms`)
      return received
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return self
}
