import { parseShape, required, text } from '@gatehouse-access/api'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../../network/networks.ts'
import { acknowledgeByToken } from '../../services/push/acknowledge-by-token.ts'
import type { Service } from '../api/exchange.ts'
import { bodyOf } from '../kit/body.ts'
import { readClientInfo } from '../kit/client-info.ts'
import { refuseWhenRecovered } from '../kit/recovered.ts'
import { refuseInLane } from '../kit/storage.ts'

const body = { token: required(text(100), 'The token of the notification.') }

/**
 * Takes the answer to a notification, which has a token instead of a session. Only POST: whatever follows
 * links acknowledges nothing.
 */
export function addAcknowledge(app: FastifyInstance, { context, limits, turnstile }: Service): void {
  app.post('/push/acknowledge', async (request, reply) => {
    const network = networkOf(request.ip)
    limits?.take('visitors', network)
    refuseWhenRecovered(context)
    refuseInLane(context, 'ordinary', request.id)
    const { token } = parseShape(body, bodyOf(request), '')
    const origin = { ip_address: request.ip, client: readClientInfo(request.headers['user-agent']) }
    const answer = await turnstile.run('ordinary', network, 1, () =>
      acknowledgeByToken(context, token, origin),
    )
    return reply.send(answer)
  })
}
