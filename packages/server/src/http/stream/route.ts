import { RequestError } from '@gatehouse-access/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { present } from '../../flow/present.ts'
import type { Service } from '../api/exchange.ts'
import { type Admission, admit } from './admission.ts'
import { serveEvents } from './server-sent-events.ts'
import { Sessions } from './sessions.ts'
import { serveWebSocket } from './websocket.ts'

/** The event stream, over WebSocket or Server-Sent Events: same path, same messages. */
export function addStream(app: FastifyInstance, service: Service, path: string, longest_stall: number): void {
  const sessions = new Sessions(service.context, service.tokens, longest_stall)
  service.context.metrics.gauge('gatehouse_streams', 'Event streams that are open.', () => sessions.size)
  const admissions = new WeakMap<FastifyRequest, Admission>()
  const check = async (request: FastifyRequest, reply: FastifyReply) => {
    const admission = await admit(service, request)
    // A connection that has already closed emits no further `close`, so its room would never be released.
    if (request.raw.socket.destroyed) throw new RequestError('invalid_request', 'the connection was closed')
    const release = sessions.reserve(admission.holder, admission.grant.organization_id)
    // A WebSocket lasts as long as its connection. A response may end earlier, and be followed by others.
    const lasting = request.ws ? request.raw.socket : reply.raw
    lasting.once('close', release)
    admissions.set(request, admission)
  }
  app.addHook('preClose', async () => sessions.endAll())
  app.register(async inner => {
    inner.route({
      method: 'GET',
      url: path,
      preValidation: check,
      handler: (request, reply) => answer(service, sessions, request, reply, admissions),
      wsHandler: (socket, request) =>
        serveWebSocket(service, sessions, socket, present(admissions.get(request), 'an admission')),
    })
  })
}

function answer(
  service: Service,
  sessions: Sessions,
  request: FastifyRequest,
  reply: FastifyReply,
  admissions: WeakMap<FastifyRequest, Admission>,
): Promise<FastifyReply> {
  if (!request.headers.accept?.includes('text/event-stream'))
    throw new RequestError(
      'invalid_request',
      'connect with a WebSocket, or ask for Accept: text/event-stream',
    )
  return serveEvents(service, sessions, request, reply, present(admissions.get(request), 'an admission'))
}
