import type { AccountKey } from './account-key.ts'
import { AcmeError, problemIn } from './acme-error.ts'

interface Directory {
  readonly newNonce: string
  readonly newAccount: string
  readonly newOrder: string
}

export interface Answer {
  readonly headers: Headers
  readonly text: string
  json<T>(): T
}

/** Milliseconds for one request. */
const patience = 30_000
/** An authority may reject good nonces on purpose. */
const tries = 10

/** Speaks ACME (RFC 8555) for one account: every request is signed and carries the nonce of the last answer. */
export class AcmeClient {
  readonly #directory: Directory
  readonly #key: AccountKey
  readonly #signal: AbortSignal
  #account: string | undefined
  #nonce: string | undefined

  private constructor(directory: Directory, key: AccountKey, signal: AbortSignal) {
    this.#directory = directory
    this.#key = key
    this.#signal = signal
  }

  /** Signs up, or finds the account that the key already has. */
  static async open(
    url: string,
    key: AccountKey,
    email: string | undefined,
    signal: AbortSignal,
  ): Promise<AcmeClient> {
    const answer = await send(url, {}, signal)
    const client = new AcmeClient((await answer.json()) as Directory, key, signal)
    const { headers } = await client.post(client.#directory.newAccount, {
      termsOfServiceAgreed: true,
      ...(email && { contact: [`mailto:${email}`] }),
    })
    client.#account = headers.get('location') ?? undefined
    if (client.#account === undefined) throw new AcmeError('the certificate authority named no account')
    return client
  }

  newOrder(name: string): Promise<Answer> {
    return this.post(this.#directory.newOrder, { identifiers: [{ type: 'dns', value: name }] })
  }

  /** Reads with an empty payload, as RFC 8555 asks. A nonce may have been forgotten: then it asks again. */
  async post(url: string, payload: object | '' = ''): Promise<Answer> {
    for (let left = tries; ; left--) {
      const nonce = this.#nonce ?? (await this.#newNonce())
      const body = this.#key.sign({ url, nonce, account: this.#account }, payload)
      const answer = await send(url, { method: 'POST', headers: jose, body }, this.#signal)
      this.#nonce = answer.headers.get('replay-nonce') ?? undefined
      const text = await answer.text()
      if (answer.ok) return { headers: answer.headers, text, json: () => parse(text) }
      const problem = problemIn(parse(text), retryAfter(answer.headers))
      if (problem.type !== 'badNonce' || left <= 1) throw problem
    }
  }

  async #newNonce(): Promise<string> {
    const { headers } = await send(this.#directory.newNonce, { method: 'HEAD' }, this.#signal)
    const nonce = headers.get('replay-nonce')
    if (nonce === null) throw new AcmeError('the certificate authority gave no nonce')
    return nonce
  }
}

const jose = {
  'content-type': 'application/jose+json',
  accept: 'application/json, application/pem-certificate-chain',
}

async function send(url: string, options: RequestInit, signal: AbortSignal): Promise<Response> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(patience)])
  const headers = { 'user-agent': 'gatehouse', ...options.headers }
  return fetch(url, { ...options, headers, redirect: 'error', signal: within }).catch(cause => {
    throw new AcmeError(
      `the certificate authority at ${new URL(url).host} cannot be reached: ${reasonOf(cause)}`,
    )
  })
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message
}

function parse<T>(text: string): T {
  try {
    return JSON.parse(text) as T
  } catch {
    throw new AcmeError('the certificate authority answered something other than JSON')
  }
}

/** Seconds. The header has a number or a date. */
export function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}
