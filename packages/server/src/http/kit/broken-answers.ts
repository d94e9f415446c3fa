import { RequestError } from '@gatehouse-access/api'
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'

/**
 * Restricts what Fastify logs. Its own request lines would include tokens and cookies. Only a response that
 * failed while streaming is logged, because its status had already reported success.
 */
export class BrokenAnswers extends LogController {
  constructor() {
    super({ disableRequestLogging: true })
  }

  override streamError(error: Error & { code?: string }, request: FastifyRequest, reply: FastifyReply): void {
    // The caller has disconnected, or has lost its rights.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || isOfCaller(error)) return
    reply.log.warn({ err: error, request_id: request.id }, 'an answer broke off')
  }
}

function isOfCaller(error: Error): boolean {
  return error instanceof RequestError && error.status < 500
}
