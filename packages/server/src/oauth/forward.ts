import type { IncomingMessage, ServerResponse } from 'node:http'
import { RequestError } from '@gatehouse-access/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../database/away.ts'
import type { BodyRoom } from '../http/kit/body-room.ts'
import { isRefusal } from '../http/kit/errors.ts'
import type { Limits } from '../http/kit/limits.ts'
import { allowanceHeaders } from '../http/kit/rate-limit.ts'
import { refuseInLane } from '../http/kit/storage.ts'
import type { Turnstile } from '../http/turnstile/turnstile.ts'
import { networkOf } from '../network/networks.ts'
import type { Context } from '../services/objects/context.ts'
import type { Engine } from './engine.ts'
import { routes } from './provider-routes.ts'
import { longestBody, wholeBody } from './whole-body.ts'

/** Forwards requests to the authorization server before Fastify reads their bodies. */
export function forwardOauth(
  app: FastifyInstance,
  context: Context,
  engine: Engine,
  { limits, turnstile, bodies }: { limits: Limits | undefined; turnstile: Turnstile; bodies: BodyRoom },
): void {
  const answer = answerBy(engine)
  // Takes a turn only after the body has arrived, so that a slow sender does not hold one.
  const inTurn = async (request: FastifyRequest, reply: FastifyReply) => {
    await bodies.take(request, reply, longestBody)
    if (await wholeBody(request.raw))
      await turnstile.run('page', networkOf(request.ip), 1, () => answer(request.raw, reply.raw))
  }
  const public_url = new URL(context.config.public_url)
  app.addHook('onRequest', (request, reply, done) => {
    if (!isOauth(request.url)) return done()
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    try {
      countVisit(request, reply, limits)
      refuseInLane(context, isBeginning(request.url) ? 'ordinary' : 'page', request.id)
    } catch (error) {
      return fail(error, request, reply)
    }
    nameUs(request.raw, public_url, request.ip)
    inTurn(request, reply).catch(error => fail(error, request, reply))
  })
}

function isOauth(url: string): boolean {
  return url.startsWith('/oauth2/')
}

/** A new authorization adds a row, while an issued token replaces another. */
function isBeginning(url: string): boolean {
  return url.startsWith(routes.authorization) || url.startsWith(routes.device_authorization)
}

/** Counts requests by address, since callers are not identified here yet. */
function countVisit({ url, ip }: FastifyRequest, { raw }: FastifyReply, limits: Limits | undefined): void {
  if (!limits) return
  const counted = isBeginning(url) ? 'interactions' : 'exchanges'
  const allowance = limits.take(counted, networkOf(ip))
  for (const [name, value] of Object.entries(allowanceHeaders(allowance))) raw.setHeader(name, value)
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>

function answerBy(engine: Engine): Answer {
  let callback: Answer | undefined
  return async (request, response) => {
    callback ??= (await engine()).callback()
    await callback(request, response)
  }
}

/** Sets the headers from which the engine reads its own address and the caller's, and removes any that the caller sent. */
function nameUs({ headers }: IncomingMessage, { protocol, host }: URL, ip: string): void {
  for (const name of Object.keys(headers))
    if (name.startsWith('x-forwarded-') || name === 'forwarded') delete headers[name]
  headers['x-forwarded-for'] = ip
  headers['x-forwarded-proto'] = protocol.slice(0, -1)
  headers['x-forwarded-host'] = host
}

function statusOf(error: unknown): number {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500
}

function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const status = isUnavailable(error) ? 503 : statusOf(error)
  if (status >= 500 && !isRefusal(error))
    request.log.error({ err: error, request_id: request.id }, 'authorization server')
  if (reply.raw.headersSent) return void reply.raw.destroy()
  const { code, headers, description } = tell(error, status, request.id)
  reply.raw.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  reply.raw.end(JSON.stringify({ error: code, error_description: description }))
}

function tell(error: unknown, status: number, request_id: string) {
  if (error instanceof RequestError && status !== 500)
    return { code: 'temporarily_unavailable', headers: error.headers, description: error.message }
  const code = status < 500 ? 'invalid_request' : 'server_error'
  return { code, headers: status === 503 ? { 'retry-after': '1' } : {}, description: `request ${request_id}` }
}
