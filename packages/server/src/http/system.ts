import { openApi, toOpenApi30 } from '@gatehouse/api'
import type { FastifyInstance } from 'fastify'
import { reachDatabase } from '../database/db.ts'
import { measureLags } from '../events/lag.ts'
import type { Context } from '../services/objects/context.ts'
import { basePath, documentPath, olderDocumentPath } from './api/routes.ts'
import { monitorsOf } from './kit/monitors.ts'
import { addReference } from './reference/route.ts'

/** What operators and developers look at beside the API itself. */
export function addSystemRoutes(app: FastifyInstance, context: Context): void {
  const document = openApi(`${context.config.public_url}${basePath}`)
  serveDocument(app, basePath + documentPath, document)
  serveDocument(app, basePath + olderDocumentPath, toOpenApi30(document))
  addReference(app, context.config.public_url)
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }))
  const isMonitor = monitorsOf(context.config)
  app.get('/readyz', async (request, reply) => {
    await reachDatabase(context.db)
    return reply.send(isMonitor(request) ? await describeReadiness(context) : { status: 'ready' })
  })
  app.get('/metrics', async (request, reply) =>
    isMonitor(request)
      ? reply.type('text/plain; version=0.0.4; charset=utf-8').send(await context.metrics.render())
      : reply.callNotFound(),
  )
}

function serveDocument(app: FastifyInstance, path: string, document: object): void {
  const text = JSON.stringify(document)
  app.get(path, (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
}

async function describeReadiness(context: Context): Promise<object> {
  const { feed, disk, audit } = context
  return {
    status: disk.is_full() ? 'read_only' : 'ready',
    feed_lag_seconds: await feed.lag(),
    consumer_lag_seconds: await measureLags(context),
    ...(audit.alarm !== undefined && { audit_alarm: audit.alarm }),
  }
}
