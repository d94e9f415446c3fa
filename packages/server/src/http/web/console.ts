import { randomBytes } from 'node:crypto'
import { RequestError } from '@gatehouse-access/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { languageFor } from '../browser/chosen-language.ts'
import { pathOf } from '../kit/path-and-query.ts'
import { findFile } from './files.ts'
import { forever, revalidated, sendFile } from './send-file.ts'

/** Paths that are never console pages. */
const machines = /^\/(v2|member|device|oauth2|account|push|assets|console|guest|docs|\.well-known)(\/|$)/

export function addConsole(app: FastifyInstance): void {
  app.get('/', (request, reply) => sendConsole(request, reply))
  app.get('/console/*', (request, reply) => {
    const name = pathOf(request)['*'] ?? ''
    const file = findFile('console', `console/${name}`)
    if (!file) throw new RequestError('not_found', 'this file does not exist')
    return sendFile(request, reply, file, named[name] ?? { 'cache-control': forever })
  })
}

/** Files without a hash in their name. The worker shows messages and asks this origin, nothing else. */
const named: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'manifest.webmanifest': { 'cache-control': revalidated },
  'sw.js': {
    'cache-control': revalidated,
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  },
}

/** Treats any other path as a console route if a browser requests it as a page. */
export function isConsoleRoute(request: FastifyRequest): boolean {
  const is_page = /^(GET|HEAD)$/.test(request.method) && /\btext\/html\b/.test(request.headers.accept ?? '')
  return is_page && !machines.test(request.url)
}

/** The nonce allows the style elements that the component library creates. Scripts need none. */
export function sendConsole(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = languageFor(request.headers)
  const page = findFile('console', language === 'en' ? 'index.html' : `index.${language}.html`)
  if (!page) throw notBuilt()
  const nonce = randomBytes(16).toString('base64')
  return reply
    .type(page.type)
    .headers({
      vary: 'accept-language, cookie',
      'cache-control': revalidated,
      'content-security-policy': policy(nonce),
    })
    .send(page.bytes.toString('utf8').replaceAll('{{nonce}}', nonce))
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export function notBuilt(): RequestError {
  return new RequestError('unavailable', 'the web pages are not built; run node scripts/set-up.mjs')
}
