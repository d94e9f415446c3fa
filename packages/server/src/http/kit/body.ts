import { invalid, RequestError } from '@gatehouse-access/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { messageOf } from '../../flow/failures.ts'

export const bodyLimit = 1024 * 1024
const deepest = 32
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * A body that cannot be parsed. The error is thrown only when a handler reads the body, after it has checked
 * that the object exists.
 */
class UnusableBody {
  readonly reason: RequestError

  constructor(reason: RequestError) {
    this.reason = reason
  }
}

/** Parses bodies as UTF-8 JSON of at most 32 levels. An empty body counts as `{}`; a JSON null does not. */
export function readJsonBodies(app: FastifyInstance): void {
  const options = { parseAs: 'buffer', bodyLimit } as const
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', options, async (_request: unknown, body: Buffer) =>
    usable(() => parseBody(body)),
  )
  app.addContentTypeParser('*', options, async () => usable(refuseType))
}

export function bodyOf({ body }: Pick<FastifyRequest, 'body'>): unknown {
  if (body instanceof UnusableBody) throw body.reason
  return body === undefined ? {} : body
}

function usable(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof RequestError) return new UnusableBody(error)
    throw error
  }
}

function refuseType(): never {
  throw new RequestError('unsupported_media_type', 'the body must have the Content-Type application/json')
}

function parseBody(body: Buffer): unknown {
  if (body.length === 0) return {}
  const value = parseJson(body)
  // Later code treats null as a missing body.
  if (value === null) throw invalid('', 'the body must be a JSON object, not null')
  if (isDeeper(value, deepest)) throw invalid('', `the body is nested deeper than ${deepest} levels`)
  return value
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(body))
  } catch (cause) {
    throw new RequestError('invalid_request', `the body is not valid JSON in UTF-8: ${messageOf(cause)}`, {
      cause,
    })
  }
}

/** Recurses at most `levels` deep. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const entry of Object.values(value)) if (isDeeper(entry, levels - 1)) return true
  return false
}
