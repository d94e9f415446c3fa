import { RequestError } from '@gatehouse/api'
import type { FastifyInstance } from 'fastify'
import { notBuilt } from './console.ts'
import { findFile } from './files.ts'
import { forever, revalidated, sendFile } from './send-file.ts'

/** The guest page has no cookies and no forms: the secret in its fragment goes to our own API alone. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

export function addGuest(app: FastifyInstance): void {
  app.get('/guest', (request, reply) => {
    const page = findFile('guest', 'index.html')
    if (!page) throw notBuilt()
    return sendFile(request, reply, page, {
      'cache-control': revalidated,
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
    })
  })
  app.get('/guest/*', (request, reply) => {
    const name = (request.params as { '*': string })['*']
    const file = name.endsWith('.html') ? undefined : findFile('guest', name)
    if (!file) throw new RequestError('not_found', 'there is no such file')
    return sendFile(request, reply, file, {
      'cache-control': name.startsWith('assets/') ? forever : revalidated,
    })
  })
}
