import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Span, Tracing } from '../../monitoring/tracing.ts'

const spans = new WeakMap<FastifyRequest, Span>()

/** Gives every request a span that continues the caller's trace. Streams and sockets have none: they last. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (lasts(request)) return done()
    const span = beginFor(tracing, request)
    spans.set(request, span)
    reply.raw.once('close', () => endWith(span, reply))
    tracing.inside(span, done)
  })
  // A body arrives in the flow of its socket, so the span is entered again after it.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) tracing.inside(span, done)
    else done()
  })
}

function lasts({ headers, routeOptions }: FastifyRequest): boolean {
  return headers.upgrade !== undefined || routeOptions.url?.endsWith('/stream') === true
}

/** Names the route, never the path or the query, which may hold what is nobody's business. */
function beginFor(tracing: Tracing, { method, id, headers, routeOptions }: FastifyRequest): Span {
  const route = routeOptions.url ?? 'unknown'
  const given = headers.traceparent
  return tracing.begin({
    name: `${method} ${route}`,
    kind: 'server',
    attributes: { 'http.request.method': method, 'http.route': route, 'gatehouse.request_id': id },
    // A request without a parent begins a trace, whatever flow accepted its connection.
    parent: typeof given === 'string' ? given : '',
    request_id: id,
  })
}

function endWith(span: Span, { request, raw }: FastifyReply): void {
  const status = raw.statusCode
  const organization = request.exchange?.caller?.organization_id
  span.set({ 'http.response.status_code': status, 'gatehouse.organization_id': organization })
  span.end(status >= 500 ? new Error('status') : undefined)
}
