import { randomBytes } from 'node:crypto'
import { invalid, RequestError } from '@gatehouse/api'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Context } from '../context.ts'
import { forwardOauth } from '../oauth/forward.ts'
import { createProvider } from '../oauth/provider.ts'
import { addAccountRoutes } from './account/routes.ts'
import { bodyLimit, readJsonBodies } from './body.ts'
import { BrowserSessions } from './browser/sessions.ts'
import { toRequestError } from './errors.ts'
import type { Service } from './exchange.ts'
import { addPages } from './pages/routes.ts'
import { answerParserError } from './parser-errors.ts'
import { RateLimiter } from './rate-limit.ts'
import { addRoutes, allowedMethods, basePath } from './routes.ts'
import { addSystemRoutes } from './system.ts'
import { TokenCache } from './tokens.ts'

const longestUrl = 8192

export function createApp(context: Context): FastifyInstance {
  const nextId = requestIds()
  const { trusted_proxies } = context.config
  const app = fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: nextId,
    bodyLimit,
    trustProxy: trusted_proxies.length > 0 ? [...trusted_proxies] : false,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: longestUrl, ignoreTrailingSlash: false, onBadUrl: answerBadUrl },
    clientErrorHandler: (error, socket) => answerParserError(error, socket, nextId()),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  }) as unknown as FastifyInstance
  const service = serviceOver(context)
  const provider = createProvider(context)
  readJsonBodies(app)
  app.addHook('onRequest', prepare(context.config.public_url))
  forwardOauth(app, context, provider)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(answerUnknown)
  addSystemRoutes(app, context)
  addRoutes(app, service)
  addAccountRoutes(app, service)
  addPages(app, { context, sessions: service.sessions, provider })
  return app
}

function serviceOver(context: Context): Service {
  const { rate_limit } = context.config
  return {
    context,
    tokens: new TokenCache(context),
    sessions: new BrowserSessions(context),
    limiter: rate_limit > 0 ? new RateLimiter(rate_limit) : undefined,
  }
}

/** Unique over processes and restarts, and cheap: a random start and a count. */
function requestIds(): () => string {
  const start = `req_${randomBytes(6).toString('hex')}`
  let count = 0
  return () => `${start}_${(++count).toString(36)}`
}

/** What every answer carries, and what no request may have. */
function prepare(public_url: string) {
  const headers = { ...guards, ...(public_url.startsWith('https:') && { 'strict-transport-security': hsts }) }
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    reply.headers({ 'x-request-id': request.id, ...headers })
    if (request.url.startsWith(basePath)) reply.headers(openToAll)
    done(refusal(request))
  }
}

const hsts = 'max-age=63072000; includeSubDomains'
const guards = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Any page may call the API: a token opens it, never a cookie. */
const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotent-Replayed',
}

function refusal(request: FastifyRequest): Error | undefined {
  if (request.url.length > longestUrl)
    return new RequestError('uri_too_long', `the request line is longer than ${longestUrl} characters`)
  const { rawHeaders } = request.raw
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts++
  return hosts > 1 ? invalid('Host', 'the request has more than one Host header') : undefined
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toRequestError(error, request.id)
  if (failure.status >= 500)
    request.log.error(
      { err: failure.cause ?? failure, request_id: request.id, url: request.routeOptions.url },
      failure.message,
    )
  return reply
    .status(failure.status)
    .headers(failure.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(failure.toBody()))
}

function answerBadUrl(_path: string, request: FastifyRequest['raw'], response: FastifyReply['raw']): void {
  const failure = new RequestError('invalid_request', 'the path is not properly percent-encoded')
  response.writeHead(failure.status, {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'req_bad_url',
  })
  response.end(JSON.stringify(failure.toBody()))
  request.resume()
}

/** Unknown paths, known paths with another method, and the questions browsers ask before a request. */
function answerUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0] as string
  const methods = allowedMethods(path)
  if (methods.length === 0)
    throw new RequestError(
      'not_found',
      `there is nothing at this path; the API begins with ${basePath} and is described at /docs`,
    )
  const allow = [...methods, 'OPTIONS'].join(', ')
  if (request.method !== 'OPTIONS')
    throw new RequestError(
      'method_not_allowed',
      `${request.method} is not allowed here; allowed are ${allow}`,
      { headers: { allow } },
    )
  return reply
    .status(204)
    .headers({ allow, ...preflight(allow) })
    .send()
}

function preflight(allow: string): Record<string, string> {
  return {
    'access-control-allow-methods': allow,
    'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match',
    'access-control-max-age': '86400',
  }
}
