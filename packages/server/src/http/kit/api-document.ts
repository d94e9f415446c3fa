import type { FastifyInstance } from 'fastify'

/** Placeholder for the public URL in the cached document. */
const anywhere = 'https://gatehouse.invalid'
const written = new Map<string, string>()

/**
 * Serves the API document that `describe` returns. The document is rendered once per process and path, for any
 * number of public URLs, and when it is first asked for: few processes ever are, and all would start later.
 */
export function serveDocument(
  app: FastifyInstance,
  path: string,
  publicUrl: string,
  describe: (publicUrl: string) => object,
): void {
  app.get(path, (_request, reply) => {
    const general = written.get(path) ?? JSON.stringify(describe(anywhere))
    written.set(path, general)
    const text = general.replaceAll(anywhere, JSON.stringify(publicUrl).slice(1, -1))
    return reply.type('application/json; charset=utf-8').send(text)
  })
}
