import { randomBytes } from 'node:crypto'
import type { ServerOptions } from 'node:http'
import websocket from '@fastify/websocket'
import { deviceLimits, RequestError, resources } from '@gatehouse-access/api'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { tlsOptions } from '../certificates/certificates.ts'
import { noteRequest } from '../flow/gaps.ts'
import { openEngine } from '../oauth/engine.ts'
import { forwardOauth } from '../oauth/forward.ts'
import { addServerMetadata } from '../oauth/metadata.ts'
import { TokenCache } from '../services/applications/token-cache.ts'
import type { Context } from '../services/objects/context.ts'
import { addAcknowledge } from './account/acknowledge.ts'
import { addAccountRoutes } from './account/routes.ts'
import { countAnswer } from './api/count-answer.ts'
import type { Service } from './api/exchange.ts'
import { operationOf } from './api/pipeline.ts'
import { addRoutes, allowedMethods, basePath } from './api/routes.ts'
import { endTurn } from './api/turn.ts'
import { BrowserSessions } from './browser/sessions.ts'
import { addDeviceRoutes } from './devices/route.ts'
import { addJobFiles } from './export/job-files.ts'
import { addExport } from './export/route.ts'
import { addImports } from './imports/route.ts'
import { Arrivals } from './kit/arrivals.ts'
import { bodyLimit, readJsonBodies } from './kit/body.ts'
import { BodyRoom } from './kit/body-room.ts'
import { BrokenAnswers } from './kit/broken-answers.ts'
import { reportFailure, toRequestError } from './kit/errors.ts'
import { openLimits } from './kit/limits.ts'
import { findMalformation, longestUrl } from './kit/malformed.ts'
import { answerParserError, answerUnusual } from './kit/parser-errors.ts'
import { traceRequests } from './kit/trace-requests.ts'
import { addMemberRoutes, memberPath } from './member/routes.ts'
import { addPages } from './page-routes.ts'
import { renderOauthError } from './pages/oauth-error.ts'
import { addStream } from './stream/route.ts'
import { addSystemRoutes } from './system.ts'
import { Turnstile } from './turnstile/turnstile.ts'
import { addConsole, isConsoleRoute, sendConsole } from './web/console.ts'
import { addGuest } from './web/guest.ts'

export interface AppOptions {
  /** Milliseconds within which a request must have arrived completely. An upload that keeps coming has 20 times as many. */
  readonly request_timeout?: number
  /** Milliseconds that the reader of a stream can stall before the stream is closed. */
  readonly longest_stall?: number
}

export function createApp(context: Context, options: AppOptions = {}): FastifyInstance {
  const { request_timeout: requestTimeout = 30_000, longest_stall = 30_000 } = options
  const nextId = requestIds()
  const { trusted_proxies, public_url } = context.config
  const setHeaders = headerSetter(public_url)
  const app = fastify({
    // With its own logger, Fastify would add listeners for the end of every response.
    childLoggerFactory: () => context.log,
    logController: new BrokenAnswers(),
    genReqId: nextId,
    bodyLimit,
    trustProxy: trusted_proxies.length > 0 ? [...trusted_proxies] : false,
    requestTimeout: longestRequest * requestTimeout,
    keepAliveTimeout: 72_000,
    ...(context.certificates
      ? { https: { ...httpOptions(requestTimeout), ...tlsOptions, handshakeTimeout: 20_000 } }
      : { http: httpOptions(requestTimeout) }),
    routerOptions: { maxParamLength: longestUrl, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply)
      answerError(error, request, reply)
    },
    clientErrorHandler: (error, socket) => answerParserError(error, socket, nextId()),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  }) as unknown as FastifyInstance
  const service = serviceOver(context)
  const { limits, turnstile } = service
  app.addHook('onClose', async () => turnstile[Symbol.dispose]())
  const arrivals = new Arrivals(app.server, context.timers, requestTimeout)
  app.addHook('onClose', async () => arrivals[Symbol.dispose]())
  const engine = openEngine(context, { limits, renderError: renderOauthError })
  readJsonBodies(app)
  const bodies = new BodyRoom(turnstile)
  bodies.guard(app)
  app.addHook('onRequest', (request, reply, done) => {
    context.traffic.note()
    if (request.headers.upgrade === undefined) noteRequest(reply.raw)
    setHeaders(request, reply)
    if (request.headers.upgrade !== undefined) endWithAnswer(request, reply)
    done(findMalformation(request))
  })
  if (context.tracing) traceRequests(app, context.tracing)
  forwardOauth(app, context, engine, { limits, turnstile, bodies })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(answerUnknown)
  answerUnusual(app.server, nextId)
  addSystemRoutes(app, context)
  addServerMetadata(app, public_url)
  app.register(async inner => {
    // Registered in this scope only, because its hooks cost time on every request of the routes in its scope.
    inner.register(websocket, {
      options: { maxPayload: deviceLimits.message_bytes, perMessageDeflate: false },
      errorHandler: endSocket,
    })
    addDeviceRoutes(inner, service)
    addStream(inner, service, `${basePath}/events/stream`, longest_stall)
  })
  addExport(app, service, `${basePath}/events/export`, resources.event)
  addExport(app, service, `${basePath}/members/export`, resources.member)
  addJobFiles(app, service, `${basePath}/jobs`)
  addImports(app, service, { path: `${basePath}/imports`, arrivals })
  addRoutes(app, service)
  addAccountRoutes(app, service)
  addAcknowledge(app, service)
  addMemberRoutes(app, context, turnstile)
  addPages(app, { context, sessions: service.sessions, engine, limits, turnstile })
  addGuest(app)
  addConsole(app)
  return app
}

/** Spans after which Node ends whatever `Arrivals` has not. */
const longestRequest = 21

/**
 * Passes the timeouts to Node as well: if set later, that of requests stays below the one of headers, which then applies
 * to bodies. Accepts requests without a Host header, to refuse them in JSON like those with two.
 */
function httpOptions(requestTimeout: number): ServerOptions {
  return {
    headersTimeout: requestTimeout,
    requestTimeout: longestRequest * requestTimeout,
    connectionsCheckingInterval: requestTimeout / 10,
    requireHostHeader: false,
  }
}

/** Does not log protocol errors or disconnects of clients. */
function endSocket(
  error: Error & { code?: string },
  socket: { terminate(): void },
  request: FastifyRequest,
): void {
  if (!/^(WS_ERR_|ECONNRESET|EPIPE)/.test(error.code ?? ''))
    request.log.error({ err: error }, 'a socket failed')
  socket.terminate()
}

/** Closes a connection that requested a WebSocket but got a plain response, since nothing reads from it. */
function endWithAnswer({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => raw.socket.destroySoon())
}

function serviceOver(context: Context): Service {
  return {
    context,
    tokens: new TokenCache(context),
    sessions: new BrowserSessions(context),
    limits: openLimits(context.config),
    turnstile: new Turnstile(context),
    operationOf,
  }
}

/** Cheap and unique across processes and restarts: a random prefix and a counter. */
function requestIds(): () => string {
  const start = `req_${randomBytes(6).toString('hex')}`
  let count = 0
  return () => `${start}_${(++count).toString(36)}`
}

/** Sets the headers of every response, and additional ones for responses that a browser may display. */
function headerSetter(public_url: string) {
  const headers = { ...guards, ...(public_url.startsWith('https:') && { 'strict-transport-security': hsts }) }
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(headers).header('x-request-id', request.id)
    if (!isOpen(request.url)) reply.headers(pageGuards)
    else if (request.headers.origin !== undefined) reply.headers(openToAll)
  }
}

function isOpen(url: string): boolean {
  return url.startsWith(basePath) || url.startsWith(memberPath)
}

const hsts = 'max-age=63072000; includeSubDomains'
const guards = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
/** For pages only. API data has no links, and the policy above already forbids framing it. */
const pageGuards = { 'x-frame-options': 'DENY', 'referrer-policy': 'same-origin' }

const anyOrigin = { 'access-control-allow-origin': '*' }

/** Any web page can call the API, since it needs a token, not a cookie. Only browsers send an Origin. */
const openToAll = {
  ...anyOrigin,
  'access-control-expose-headers':
    'ETag, X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotent-Replayed',
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toRequestError(error, request.id)
  reportFailure(failure, request, request.routeOptions.url)
  if (request.exchange) {
    endTurn(request.exchange)
    countAnswer(request.exchange, failure.status)
  }
  return reply
    .status(failure.status)
    .headers(failure.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(failure.toBody()))
}

/** Answers unknown paths, unsupported methods and CORS preflight requests. */
function answerUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.replace(/\?.*/s, '')
  const methods = allowedMethods(path)
  if (isConsoleRoute(request)) return sendConsole(request, reply)
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
    ...anyOrigin,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, Last-Event-ID',
    'access-control-max-age': '86400',
  }
}
