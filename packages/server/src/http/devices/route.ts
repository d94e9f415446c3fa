import { deviceClosings, deviceProtocolSchema, RequestError } from '@gatehouse-access/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RawData, WebSocket } from 'ws'
import { authenticateDevice, type Identity, readCredentials } from '../../devices/authenticate.ts'
import { webSocketLink } from '../../devices/gateway/link.ts'
import { present } from '../../flow/present.ts'
import { networkOf } from '../../network/networks.ts'
import type { Context } from '../../services/objects/context.ts'
import type { Service } from '../api/exchange.ts'

interface Admission {
  readonly identity: Identity
  readonly hardware_id: string
}

/** Adds the endpoint that devices connect to, and the schema of their messages. */
export function addDeviceRoutes(app: FastifyInstance, service: Service): void {
  const { context } = service
  const schema = JSON.stringify(deviceProtocolSchema())
  const admissions = new WeakMap<FastifyRequest, Admission>()
  app.addHook('preClose', () => context.devices.stop())
  app.get('/device/v1/schema.json', (_request, reply) => reply.type('application/schema+json').send(schema))
  app.register(async inner => {
    inner.route({
      method: 'GET',
      url: '/device/v1/connect',
      preValidation: async request => void admissions.set(request, await admit(service, request)),
      handler: () => {
        throw new RequestError('invalid_request', 'connect with a WebSocket')
      },
      wsHandler: (socket, request) =>
        serve(context, socket, present(admissions.get(request), 'an admission')),
    })
  })
}

/** Every invalid pair of id and secret gets the same response. */
async function admit({ context, turnstile }: Service, request: FastifyRequest): Promise<Admission> {
  const given = readCredentials(request.headers.authorization)
  const identity =
    given &&
    (await turnstile.run('device', networkOf(request.ip), 1, () =>
      authenticateDevice(context.db, given.hardware_id, given.secret),
    ))
  if (!given || !identity)
    throw new RequestError(
      'unauthenticated',
      'a device needs its hardware id and secret in the header Authorization: Basic base64(hardware_id:secret)',
      { headers: { 'www-authenticate': 'Basic realm="device"' } },
    )
  return { identity, hardware_id: given.hardware_id }
}

function serve({ devices }: Context, socket: WebSocket, { identity, hardware_id }: Admission): void {
  const link = webSocketLink(socket, () =>
    connection.end('too_slow', 'the device does not read the messages sent to it'),
  )
  const connection = devices.accept(link, identity, hardware_id)
  socket.on('message', (data: RawData, isBinary: boolean) => {
    if (isBinary) connection.end('bad_message', 'messages are text frames')
    else connection.receive(String(data))
  })
  socket.on('close', () => void connection.closed())
  socket.on('error', (error: Error & { code?: string }) => {
    // The WebSocket library itself sends 1009 and discards the oversized message.
    if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') socket.close(deviceClosings.too_large.code)
    else socket.terminate()
  })
}
