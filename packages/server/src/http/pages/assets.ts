import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

const folder = new URL('../../../assets/', import.meta.url)
const types = {
  'look.css': 'text/css; charset=utf-8',
  'pages.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'passkey.js': 'text/javascript; charset=utf-8',
  'copy.js': 'text/javascript; charset=utf-8',
  'enrol-passkey.js': 'text/javascript; charset=utf-8',
} as const

/** Serves the static files of the pages from this origin. */
export function addAssets(app: FastifyInstance): void {
  for (const [name, type] of Object.entries(types)) {
    const bytes = readFileSync(new URL(name, folder))
    app.get(`/assets/${name}`, (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=3600').send(bytes),
    )
  }
}
