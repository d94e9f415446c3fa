import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { renderGuide, renderGuideList } from './guide-page.ts'
import { readGuides } from './guides.ts'
import { renderPage } from './page.ts'
import { makeIndex } from './search-index.ts'
import { readStyle } from './style.ts'

/** Allows only what this service serves: no inline scripts or styles, other hosts or framing. */
const policy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves the reference, the guides and what they load. They are the same for all callers, so each is rendered once. */
export function addReference(app: FastifyInstance, publicUrl: string): void {
  const guides = readGuides()
  const pages = new Map<string, string>()
  const addPage = (path: string, render: () => string) =>
    app.get(path, (_request, reply) => {
      const page = pages.get(path) ?? render()
      pages.set(path, page)
      return reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
        .send(page)
    })
  addPage('/docs', () => renderPage(publicUrl))
  addPage('/docs/guides', () => renderGuideList(guides))
  for (const guide of guides.values()) addPage(`/docs/guides/${guide.name}`, () => renderGuide(guides, guide))
  const [style, script] = [readStyle(), readBeside('script.js')]
  addText(app, '/docs/style.css', 'text/css; charset=utf-8', () => style)
  addText(app, '/docs/script.js', 'text/javascript; charset=utf-8', () => script)
  let index: string | undefined
  addText(app, '/docs/search.json', 'application/json; charset=utf-8', () => {
    index ??= JSON.stringify(makeIndex(guides))
    return index
  })
}

function addText(app: FastifyInstance, path: string, type: string, text: () => string): void {
  app.get(path, (_request, reply) => reply.type(type).send(text()))
}

function readBeside(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8')
}
