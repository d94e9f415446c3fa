import { IncomingMessage, type ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { digest } from '../vault.ts'
import type { Engine } from './engine.ts'
import { routes } from './provider-routes.ts'

const longestBody = 56 * 1024

/** Hands requests to the authorization server before Fastify reads their bodies. */
export function forwardOauth(app: FastifyInstance, context: Context, engine: Engine): void {
  const answer = answerBy(engine)
  app.addHook('onRequest', (request, reply, done) => {
    if (!isOauth(request.url)) return done()
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    forward(context, answer, request, reply).catch(error => fail(error, request, reply))
  })
}

function isOauth(url: string): boolean {
  return url.startsWith('/oauth2/')
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>

function answerBy(engine: Engine): Answer {
  let callback: Answer | undefined
  return async (request, response) => {
    callback ??= (await engine()).callback()
    await callback(request, response)
  }
}

async function forward(
  context: Context,
  answer: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { raw } = request
  nameUs(raw, context.config.public_url)
  const is_exchange = raw.method === 'POST' && raw.url?.split('?', 1)[0] === routes.token
  const given = is_exchange ? await fillRedirectUri(context, raw) : raw
  await answer(given, reply.raw)
}

/** The engine takes its own address from these headers; nobody else's count. */
function nameUs({ headers }: IncomingMessage, public_url: string): void {
  for (const name of Object.keys(headers))
    if (name.startsWith('x-forwarded-') || name === 'forwarded') delete headers[name]
  const { protocol, host } = new URL(public_url)
  headers['x-forwarded-proto'] = protocol.slice(0, -1)
  headers['x-forwarded-host'] = host
}

/** The exchange of the specification names no redirect_uri; the engine wants the one that the code was made for. */
async function fillRedirectUri({ db }: Context, request: IncomingMessage): Promise<IncomingMessage> {
  const body = await readBody(request)
  const form = new URLSearchParams(body.toString('utf8'))
  const code = form.get('code')
  if (form.get('grant_type') !== 'authorization_code' || !code || form.has('redirect_uri'))
    return repeat(request, body)
  const [row] = await db.query<{ redirect_uri: string | null }>(
    `SELECT payload->>'redirectUri' AS redirect_uri FROM oauth_artifacts WHERE kind = 'AuthorizationCode' AND id_hash = $1`,
    [digest(code)],
  )
  form.set('redirect_uri', row?.redirect_uri ?? 'unknown:')
  return repeat(request, Buffer.from(form.toString()))
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length
    if (length > longestBody) throw Object.assign(new Error('the body is too large'), { status: 413 })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The same request with a body that can be read. */
function repeat(request: IncomingMessage, body: Buffer): IncomingMessage {
  const copy = new IncomingMessage(request.socket)
  const { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders } = request
  const headers = { ...request.headers, 'content-length': String(body.length) }
  Object.assign(copy, { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders, headers })
  // Incomplete messages take their socket with them when they end.
  copy.complete = true
  copy.push(body)
  copy.push(null)
  return copy
}

function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const status = (error as { status?: number }).status ?? 500
  if (status >= 500) request.log.error({ err: error, request_id: request.id }, 'authorization server')
  if (reply.raw.headersSent) return void reply.raw.destroy()
  const code = status < 500 ? 'invalid_request' : 'server_error'
  reply.raw.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  reply.raw.end(JSON.stringify({ error: code, error_description: `request ${request.id}` }))
}
