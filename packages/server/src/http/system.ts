import { openApi, toOpenApi30 } from '@gatehouse-access/api'
import type { FastifyInstance } from 'fastify'
import { reachDatabase } from '../database/db.ts'
import { measureLags } from '../events/lag.ts'
import type { Context } from '../services/objects/context.ts'
import { basePath, documentPath, olderDocumentPath } from './api/routes.ts'
import { serveDocument } from './kit/api-document.ts'
import { monitorsOf } from './kit/monitors.ts'
import { addReference } from './reference/route.ts'

/** Adds the routes for operators and developers beside the API: documents, health and metrics. */
export function addSystemRoutes(app: FastifyInstance, context: Context): void {
  const { public_url } = context.config
  const describe = (url: string) => openApi(url + basePath)
  serveDocument(app, basePath + documentPath, public_url, describe)
  serveDocument(app, basePath + olderDocumentPath, public_url, url => toOpenApi30(describe(url)))
  addReference(app, public_url)
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }))
  const isMonitor = monitorsOf(context.config)
  app.get('/readyz', async (request, reply) => {
    await reachDatabase(context.db)
    const { is_on } = context.recovery
    const brief = is_on ? { status: 'recovered', recovered: true } : { status: 'ready' }
    const answer = isMonitor(request) ? { ...(await describeReadiness(context)), ...(is_on && brief) } : brief
    return reply.status(is_on ? 503 : 200).send(answer)
  })
  app.get('/metrics', async (request, reply) =>
    isMonitor(request)
      ? reply.type('text/plain; version=0.0.4; charset=utf-8').send(await context.metrics.render())
      : reply.callNotFound(),
  )
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
