import { type Endpoint, endpoints } from '../../../endpoints.ts'
import type { ErrorType } from '../../../errors.ts'
import type { Resource } from '../../../kit/resource.ts'
import type { TokenScope } from '../../../scopes.ts'
import type { Parameter } from '../parameters.ts'
import type { Contents, Success } from '../responses.ts'

/** Sends or takes a stream or a file. It bypasses the request pipeline, and is therefore no endpoint. */
export interface Transfer {
  readonly id: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly resource: Resource
  readonly title: string
  readonly about: string
  readonly scopes: readonly TokenScope[]
  /** Whether a ticket is as good as a token. */
  readonly takes_ticket?: true
  readonly parameters: readonly Parameter[]
  /** One of these is sent. */
  readonly body?: Contents
  readonly answer: Success
  /** What a WebSocket is answered. */
  readonly upgrade?: string
  readonly errors: readonly ErrorType[]
  /** The document that explains it. */
  readonly guide: string
  /** How the SDK does it: in a loop, or by a call like that of an endpoint. */
  readonly in_sdk?: 'loop' | 'call'
}

export function endpointOf(id: string): Endpoint {
  const endpoint = endpoints.find(each => each.id === id)
  if (!endpoint) throw new Error(`there is no endpoint ${id}`)
  return endpoint
}
