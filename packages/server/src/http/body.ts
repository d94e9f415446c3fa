import { invalid, RequestError } from '@gatehouse/api'
import type { FastifyInstance } from 'fastify'

export const bodyLimit = 1024 * 1024
const deepest = 32
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Bodies are JSON in UTF-8, at most 32 levels deep. No body at all counts as `{}`. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => {
    try {
      done(null, parseBody(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

function parseBody(body: Buffer): unknown {
  if (body.length === 0) return {}
  const value = parseJson(body)
  // Further on, null stands for no body at all.
  if (value === null) throw invalid('', 'the body must be a JSON object, not null')
  if (isDeeper(value, deepest)) throw invalid('', `the body is nested deeper than ${deepest} levels`)
  return value
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(body))
  } catch (cause) {
    throw new RequestError(
      'invalid_request',
      `the body is no valid JSON in UTF-8: ${(cause as Error).message}`,
      { cause },
    )
  }
}

/** Walks without recursion, since the depth is what is in doubt. */
function isDeeper(value: unknown, levels: number): boolean {
  let level = [value].filter(isContainer)
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > levels) return true
    level = level.flatMap(entry => Object.values(entry)).filter(isContainer)
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
