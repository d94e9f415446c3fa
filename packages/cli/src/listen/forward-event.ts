import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { type SigningKey, signedHeaders } from '@gatehouse-access/server'
import type { Event } from '../describe-event.ts'

export interface Forwarded {
  readonly outcome: string
  readonly is_accepted: boolean
}

const patience = 10_000

/** Sends an event as a webhook does. A failure is an outcome too. */
export function forwardEvent(target: URL, key: SigningKey, event: Event): Promise<Forwarded> {
  const body = Buffer.from(JSON.stringify(event))
  const headers = signedHeaders(key, event.id, Math.floor(Date.now() / 1000), body)
  const request = target.protocol === 'https:' ? secureRequest : plainRequest
  const began = performance.now()
  return new Promise(resolve => {
    const sent = request(target, {
      method: 'POST',
      headers: [...headers, 'host', target.host, 'content-length', String(body.length)],
      agent: false,
      signal: AbortSignal.timeout(patience),
    })
    sent.on('response', answer => {
      answer.resume()
      const status = answer.statusCode ?? 0
      const outcome = `${status} (${Math.round(performance.now() - began)} ms)`
      resolve({ outcome, is_accepted: status >= 200 && status < 300 })
    })
    sent.on('error', error => resolve({ outcome: describe(error), is_accepted: false }))
    sent.end(body)
  })
}

function describe(error: NodeJS.ErrnoException): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no answer within 10 seconds'
  return error.code === 'ECONNREFUSED' ? 'nothing listens there' : error.message || String(error.code)
}
