import { openApi, toOpenApi30 } from '@gatehouse/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { measureLags } from '../events/lag.ts'
import { addReference } from './reference.ts'
import { basePath, documentPath, olderDocumentPath } from './routes.ts'

/** What operators and developers look at beside the API itself. */
export function addSystemRoutes(app: FastifyInstance, context: Context): void {
  const document = openApi(`${context.config.public_url}${basePath}`)
  serveDocument(app, basePath + documentPath, document)
  serveDocument(app, basePath + olderDocumentPath, toOpenApi30(document))
  addReference(app, context.config.public_url)
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => reply.send(await readiness(context)))
  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(await context.metrics.render()),
  )
}

function serveDocument(app: FastifyInstance, path: string, document: object): void {
  const text = JSON.stringify(document)
  app.get(path, (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
}

/** Ready: the database answers. Throws the usual 503 when it does not. */
async function readiness(context: Context): Promise<object> {
  const { db, feed, disk, audit } = context
  await db.query('SELECT 1')
  return {
    status: disk.is_full() ? 'read_only' : 'ready',
    feed_lag_seconds: await feed.lag(),
    consumer_lag_seconds: await measureLags(context),
    ...(audit.alarm !== undefined && { audit_alarm: audit.alarm }),
  }
}
