import { RequestError } from '@gatehouse/api'
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'

/**
 * What the framework may write into the log. Its own lines would tell every request whole, with tokens and cookies; only an
 * answer that broke off is told, since its status had said that all was well.
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
