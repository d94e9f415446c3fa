export interface Question {
  readonly method: string
  /** The path below `/v2`, including the query. */
  readonly path: string
  /** Values are sent as JSON; text and bytes are sent unchanged. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export type Ask = (question: Question) => Promise<Answer>

/** Sends requests to the API with one token, and returns the raw response. */
export function requester(url: string, token: string): Ask {
  return async ({ method, path, body, headers = {} }) => {
    const response = await fetch(`${url}/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...contentType(body), ...headers },
      ...(body !== undefined && { body: serialize(body) }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

function contentType(body: unknown): Record<string, string> {
  return body === undefined ? {} : { 'content-type': 'application/json' }
}

function serialize(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return new Uint8Array(body)
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** Sends a request that must succeed, and returns the object. */
export async function succeed<T = Record<string, unknown>>(ask: Ask, question: Question): Promise<T> {
  const { status, text } = await ask(question)
  if (status !== 200) throw new Error(`${question.method} ${question.path} answered ${status}: ${text}`)
  return JSON.parse(text)
}
