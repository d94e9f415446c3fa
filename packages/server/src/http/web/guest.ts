import { RequestError } from '@gatehouse-access/api'
import type { FastifyInstance } from 'fastify'
import { chooseGuestLanguage } from '../../texts/guest/language.ts'
import { pathOf } from '../kit/path-and-query.ts'
import { notBuilt } from './console.ts'
import { findFile } from './files.ts'
import { forever, revalidated, sendFile } from './send-file.ts'

export function addGuest(app: FastifyInstance): void {
  app.get('/guest', (request, reply) => {
    const language = chooseGuestLanguage(request.headers['accept-language'])
    const [page, hashes] = [findFile('guest', `index.${language}.html`), findFile('guest', 'policy.json')]
    if (!page || !hashes) throw notBuilt()
    return sendFile(request, reply, page, {
      'cache-control': revalidated,
      'content-language': language,
      'content-security-policy': policy(JSON.parse(hashes.bytes.toString('utf8'))),
      'permissions-policy': 'geolocation=(self)',
      'referrer-policy': 'no-referrer',
      vary: 'accept-encoding, accept-language',
    })
  })
  app.get('/guest/*', (request, reply) => {
    const name = pathOf(request)['*'] ?? ''
    const file = /\.html$|^policy/.test(name) ? undefined : findFile('guest', name)
    if (!file) throw new RequestError('not_found', 'this file does not exist')
    return sendFile(request, reply, file, {
      'cache-control': name.startsWith('assets/') ? forever : revalidated,
      ...(name === 'sw.js' && workerHeaders),
    })
  })
}

/** Allows the page's only script and style by hash, and connections to this origin. Allows no forms. */
function policy({ script, style }: Record<string, string>): string {
  return [
    "default-src 'none'",
    `script-src '${script}'`,
    `style-src '${style}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The page path has no trailing slash, so the worker's scope must be widened beyond its own folder. */
const workerHeaders = {
  'service-worker-allowed': '/guest',
  'content-security-policy': "default-src 'none'; connect-src 'self'",
}
