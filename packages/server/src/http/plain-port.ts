import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Challenges } from '../certificates/challenges.ts'

const well_known = '/.well-known/acme-challenge/'

/** Plain HTTP beside TLS: proves the name to a certificate authority, and sends everyone else to https. */
export function createPlainServer(public_url: string, challenges: Challenges): Server {
  const options = { requestTimeout: 10_000, headersTimeout: 10_000, connectionsCheckingInterval: 1000 }
  const server = createServer(options, (request, response) => {
    const token = tokenIn(request)
    if (token === undefined) return redirect(public_url, request, response)
    challenges
      .find(token)
      .catch(() => undefined)
      .then(answer => send(response, answer))
  })
  server.maxConnections = 1000
  return server
}

function tokenIn({ method, url = '' }: IncomingMessage): string | undefined {
  const isAsked = (method === 'GET' || method === 'HEAD') && url.startsWith(well_known)
  return isAsked ? url.slice(well_known.length) : undefined
}

function send(response: ServerResponse, answer: string | undefined): void {
  response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'text/plain', ...closing })
  response.end(answer ?? '')
}

const closing = { 'cache-control': 'no-store', connection: 'close' }

/** Keeps method and body (308). A path with odd characters is not repeated. */
function redirect(public_url: string, { url = '' }: IncomingMessage, response: ServerResponse): void {
  const path = /^\/[\x21-\x7e]*$/.test(url) ? url : '/'
  response.writeHead(308, { location: public_url + path, ...closing }).end()
}
