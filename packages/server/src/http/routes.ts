import { type Endpoint, endpoints, memberEndpoints } from '@gatehouse/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Exchange, Service } from './exchange.ts'
import { pipelineOf } from './pipeline.ts'

export const basePath = '/v2'

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange | null
  }
}

/** Every endpoint of the declarations becomes a route. */
export function addRoutes(app: FastifyInstance, service: Service): void {
  app.decorateRequest('exchange', null)
  for (const endpoint of endpoints) addRoute(app, service, endpoint)
}

function addRoute(app: FastifyInstance, service: Service, endpoint: Endpoint): void {
  const { arrive, answer } = pipelineOf(endpoint)
  const begin = async (request: FastifyRequest, reply: FastifyReply): Promise<Exchange> => {
    const exchange = { service, endpoint, request, reply } as unknown as Exchange
    await arrive(exchange)
    return exchange
  }
  const { metrics } = service.context
  const labels = { endpoint: endpoint.id }
  const labelsByStatus: Record<number, Record<string, string>> = {}
  app.route({
    method: endpoint.method,
    url: basePath + endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    // A GET has no body to read, so there everything is done in one go.
    ...(endpoint.method !== 'GET' && {
      onRequest: async (request, reply) => {
        request.exchange = await begin(request, reply)
      },
    }),
    handler: async (request, reply) => {
      await answer(request.exchange ?? (await begin(request, reply)))
      return reply
    },
    onResponse: (_request, reply, done) => {
      const { statusCode: status } = reply
      labelsByStatus[status] ??= { ...labels, status: String(status) }
      metrics.count('gatehouse_requests_total', labelsByStatus[status])
      metrics.observe('gatehouse_request_seconds', labels, reply.elapsedTime / 1000)
      done()
    },
  })
}

/** Methods that a path of the API knows; empty for an unknown path. */
export function allowedMethods(path: string): string[] {
  const methods = matchers.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  return [...new Set(methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
}

const matchers = [matchersOf(basePath, endpoints), matchersOf('/member/v1', memberEndpoints)].flat()

function matchersOf(base: string, declared: readonly { method: string; path: string }[]) {
  return declared.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${base}${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
}
