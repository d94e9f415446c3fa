import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Callback extends AsyncDisposable {
  readonly redirect_uri: string
  /** Returns the address of the next visit. */
  next(): Promise<URL>
}

/** The application's side of the OAuth flow. */
export async function openCallback(): Promise<Callback> {
  const visits: URL[] = []
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/callback')) visits.push(new URL(request.url, 'http://localhost'))
    server.emit('visit')
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Back</title><p>Back')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const redirect_uri = `http://localhost:${(server.address() as AddressInfo).port}/callback`
  return {
    redirect_uri,
    async next() {
      while (visits.length === 0) await once(server, 'visit')
      const visit = visits.shift() as URL
      return new URL(visit.pathname + visit.search, redirect_uri)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
