import type { Called } from './called.ts'

/** A request before it is sent. */
export interface Call {
  readonly method: Called['method']
  readonly path: string
  readonly query: { readonly [name: string]: unknown }
  readonly body?: unknown
  readonly if_match?: string | undefined
  readonly idempotency_key?: string | undefined
  readonly signal?: AbortSignal | undefined
}

type Options = Record<string, unknown> & Pick<Call, 'if_match' | 'idempotency_key' | 'signal'>

/** Reads the arguments of a method: the path ids in order, the body if there is one, then the options. */
export function readCall(endpoint: Called, given: readonly unknown[]): Call {
  const ids = given.slice(0, endpoint.params.length)
  const rest = given.slice(endpoint.params.length)
  const body = endpoint.body && ((areOptions(endpoint.body, rest) ? undefined : rest.shift()) ?? {})
  const { if_match, idempotency_key, signal, ...query } = (rest.shift() ?? {}) as Options
  const { method } = endpoint
  return { method, path: fillPath(endpoint, ids), query, body, if_match, idempotency_key, signal }
}

const optionNames = ['if_match', 'idempotency_key', 'signal', 'expand']

/** A method that had no body in an earlier version still takes the options in its place. */
function areOptions(body: 'any' | readonly string[], [given, ...more]: readonly unknown[]): boolean {
  if (more.length > 0 || typeof given !== 'object' || given === null || body === 'any') return false
  const names = Object.keys(given)
  return names.length > 0 && names.every(name => optionNames.includes(name) && !body.includes(name))
}

/** A missing id would silently produce another path, so it is rejected here. */
function fillPath({ id, path, params }: Called, ids: readonly unknown[]): string {
  return params.reduce((filled, name, index) => {
    const value = ids[index]
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`${id} needs ${name} as argument ${index + 1}, not ${String(value)}`)
    return filled.replace(`{${name}}`, encodeURIComponent(value))
  }, path)
}
