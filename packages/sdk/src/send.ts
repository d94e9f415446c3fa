import { rememberHeaders } from './answers.ts'
import { ApiError, ConnectionError } from './api-error.ts'
import type { Call } from './call.ts'
import { encodeQuery } from './list-query.ts'
import { delayBefore, mayRepeat, pause } from './retry.ts'
import { userAgent } from './user-agent.ts'

export interface SenderOptions {
  /** Ends with the version: `http://localhost:8080/v2`. */
  readonly base_url: string
  /**
   * An access token, or a function that returns one and is called before every request. An event stream
   * passes the token that was rejected or has expired, so that the function can obtain another.
   */
  readonly token?: string | ((refused?: string) => string | Promise<string>)
  /** Sent with every request. The console uses them instead of a token to identify the signed-in user. */
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
  /** The maximum number of retries per request. Defaults to 4. */
  readonly retries?: number
  /** The timeout of one attempt in milliseconds. Defaults to 30,000. */
  readonly timeout?: number
}

export type Send = (call: Call) => Promise<unknown>

export function createSender(options: SenderOptions): Send {
  const { retries = 4 } = options
  return async given => {
    const call = withKey(given)
    for (let attempt = 0; ; attempt++)
      try {
        return await sendOnce(options, call)
      } catch (error) {
        if (attempt >= retries || !mayRepeat(call, error)) throw error
        await pause(delayBefore(attempt, error), call.signal)
      }
  }
}

/** Every attempt uses the same key, which makes retrying a POST safe. */
function withKey(call: Call): Call {
  return call.method === 'POST' ? { ...call, idempotency_key: call.idempotency_key ?? randomKey() } : call
}

export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

async function sendOnce(options: SenderOptions, call: Call): Promise<unknown> {
  const headers = await headersFor(options, call)
  const body = call.body === undefined ? null : JSON.stringify(call.body)
  const { response, text } = await exchange(options, call, { method: call.method, headers, body })
  const answer = parse(text)
  if (response.ok && answer !== undefined) return rememberHeaders(answer, response.headers)
  throw new ApiError(response, answer as ConstructorParameters<typeof ApiError>[1])
}

export async function tokenOf({ token = '' }: SenderOptions, refused?: string): Promise<string> {
  return typeof token === 'string' ? token : token(refused)
}

export async function headersFor(options: SenderOptions, call: Call): Promise<Record<string, string>> {
  return {
    ...options.headers,
    ...(options.token !== undefined && { authorization: `Bearer ${await tokenOf(options)}` }),
    accept: 'application/json',
    ...userAgent,
    ...(call.body !== undefined && { 'content-type': 'application/json' }),
    ...(call.idempotency_key !== undefined && { 'idempotency-key': call.idempotency_key }),
    ...(call.if_match !== undefined && { 'if-match': call.if_match }),
  }
}

export async function exchange(options: SenderOptions, call: Call, init: RequestInit) {
  const url = options.base_url.replace(/\/+$/, '') + call.path + encodeQuery(call.query)
  const limit = AbortSignal.timeout(options.timeout ?? 30_000)
  const signal = call.signal ? AbortSignal.any([limit, call.signal]) : limit
  try {
    const response = await (options.fetch ?? fetch)(url, { ...init, signal })
    return { response, text: await response.text() }
  } catch (cause) {
    call.signal?.throwIfAborted()
    throw new ConnectionError(`${call.method} ${url} got no response: ${explain(cause)}`, { cause })
  }
}

export function explain(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
