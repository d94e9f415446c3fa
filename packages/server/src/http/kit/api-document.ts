import type { FastifyInstance } from 'fastify'

/** Stands for the address of the service where a document is written for the first time. */
const anywhere = 'https://gatehouse.invalid'
const written = new Map<string, string>()

/** Serves what `describe` tells about the API. It is written once for the process, whatever addresses that serves at. */
export function serveDocument(
  app: FastifyInstance,
  path: string,
  publicUrl: string,
  describe: (publicUrl: string) => object,
): void {
  const general = written.get(path) ?? JSON.stringify(describe(anywhere))
  written.set(path, general)
  const text = general.replaceAll(anywhere, JSON.stringify(publicUrl).slice(1, -1))
  app.get(path, (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
}
