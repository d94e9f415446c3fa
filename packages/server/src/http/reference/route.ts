import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { renderPage } from './page.ts'
import { readStyle } from './style.ts'

/** Allows only this service's stylesheet and icon: no scripts, inline styles, other hosts or framing. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves the reference page and its assets. The page is the same for all callers, so it is rendered once. */
export function addReference(app: FastifyInstance, publicUrl: string): void {
  let page: string | undefined
  app.get('/docs', (_request, reply) => {
    page ??= renderPage(publicUrl)
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
      .send(page)
  })
  addText(app, '/docs/style.css', 'text/css; charset=utf-8', readStyle())
  addText(app, '/docs/icon.svg', 'image/svg+xml', readIcon())
}

function addText(app: FastifyInstance, path: string, type: string, text: string): void {
  app.get(path, (_request, reply) => reply.type(type).send(text))
}

function readIcon(): string {
  return readFileSync(join(import.meta.dirname, 'icon.svg'), 'utf8')
}
