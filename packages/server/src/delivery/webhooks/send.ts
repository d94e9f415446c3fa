import type { Attempt } from '@gatehouse/api'
import type { Agent, Dispatcher } from 'undici'
import { checkLiteral } from './dialer.ts'
import type { Targets } from './targets.ts'

export const timeout = 10_000
const longestAnswer = 64 * 1024
const keptAnswer = 1024

export interface Sender {
  readonly agent: Agent
  readonly targets: Targets
}

export interface Message {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: Buffer
}

type ErrorName = NonNullable<Attempt['error']>

export interface Answer {
  readonly status_code: number | null
  readonly error: ErrorName | null
  readonly answer: string | null
  readonly latency: number
  readonly retry_after: string | undefined
}

/** One POST. It always answers: a failure is an answer too. */
export async function send(sender: Sender, message: Message): Promise<Answer> {
  const begin = performance.now()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), timeout)
  const latency = () => Math.min(60_000, Math.round(performance.now() - begin))
  try {
    const response = await post(sender, message, late.signal)
    const answered = { status_code: response.statusCode, error: null, latency: latency() }
    // The status decides: what becomes of the rest of the answer changes nothing.
    const answer = await readAnswer(response.body).catch(() => null)
    return { ...answered, answer, retry_after: headerOf(response, 'retry-after') }
  } catch (error) {
    return {
      status_code: null,
      error: nameError(error),
      answer: null,
      latency: latency(),
      retry_after: undefined,
    }
  } finally {
    clearTimeout(timer)
  }
}

async function post({ agent, targets }: Sender, { url, headers, body }: Message, signal: AbortSignal) {
  const target = new URL(url)
  checkLiteral(targets, target)
  return agent.request({
    origin: target.origin,
    path: target.pathname + target.search,
    method: 'POST',
    headers,
    body,
    signal,
  })
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Reads on to the end so that the connection can be used again, but not for ever. */
async function readAnswer(body: Dispatcher.ResponseData['body']): Promise<string | null> {
  const kept: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      if (size < keptAnswer) kept.push(chunk)
      size += chunk.length
      if (size > longestAnswer) break
    }
  } catch {
    // What came before it broke off is worth keeping.
  }
  return size === 0 ? null : toText(Buffer.concat(kept).subarray(0, keptAnswer))
}

/** PostgreSQL stores neither NUL nor half a character. */
function toText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '').toWellFormed()
}

const codes: Record<string, ErrorName> = {
  ADDRESS_REFUSED: 'address_refused',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ENODATA: 'name_not_found',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_SOCKET: 'connection_closed',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_answer',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'invalid_answer',
}

function nameError(error: unknown): ErrorName {
  const { name, code = '' } = error as { name: string; code?: string }
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout'
  if (codes[code]) return codes[code]
  if (name === 'HTTPParserError') return 'invalid_answer'
  if (/^(ERR_(SSL|TLS)|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return 'tls_failed'
  return 'connection_failed'
}
