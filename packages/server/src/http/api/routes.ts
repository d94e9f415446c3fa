import { type Endpoint, endpoints, memberEndpoints } from '@gatehouse-access/api'
import type { FastifyInstance } from 'fastify'
import { present } from '../../flow/present.ts'
import { type Exchange, openExchange, type Service } from './exchange.ts'
import { pipelineOf } from './pipeline.ts'

export const basePath = '/v2'

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange | null
  }
}

/** Adds a route for each declared endpoint. */
export function addRoutes(app: FastifyInstance, service: Service): void {
  app.decorateRequest('exchange', null)
  for (const endpoint of endpoints) addRoute(app, service, endpoint)
}

function addRoute(app: FastifyInstance, service: Service, endpoint: Endpoint): void {
  const { arrive, answer } = pipelineOf(endpoint)
  app.route({
    method: endpoint.method,
    url: basePath + endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(endpoint.largest_body && { bodyLimit: endpoint.largest_body }),
    onRequest: (request, reply, done) => {
      const exchange = openExchange(service, endpoint, request, reply)
      request.exchange = exchange
      const pending = arrive(exchange)
      if (pending) pending.then(() => done(), done)
      else done()
    },
    handler: request => answer(present(request.exchange, 'the exchange')),
  })
}

/** Returns the methods that a path of the API supports, or an empty list for an unknown path. */
export function allowedMethods(path: string): string[] {
  const methods = matchers.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  return [...new Set(methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
}

/** Documents that are served in addition to the declared endpoints. */
export const documentPath = '/openapi.json'
export const olderDocumentPath = '/openapi-3.0.json'
const documents = [{ method: 'GET', path: documentPath }]
const older = { method: 'GET', path: olderDocumentPath }

const matchers = [
  matchersOf(basePath, [...endpoints, ...documents, older]),
  matchersOf('/member/v1', [...memberEndpoints, ...documents]),
].flat()

function matchersOf(base: string, declared: readonly { method: string; path: string }[]) {
  return declared.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${base}${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
}
