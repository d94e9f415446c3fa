import type { ObjectOf, Resources } from '@gatehouse-access/api'

export interface WebhookInput {
  /** The bytes as received, before they are parsed. */
  readonly body: string | Uint8Array
  readonly headers: Headers | { readonly [name: string]: string | readonly string[] | undefined }
  /** The whole secret, including `whsec_`. */
  readonly secret: string
  /** The maximum age or clock skew of a delivery in seconds. Defaults to 300. */
  readonly tolerance?: number
  /** Milliseconds since the epoch. Defaults to the machine's clock. */
  readonly now?: number
}

/** The delivery was not signed with this secret, was modified in transit, or is too old. */
export class WebhookError extends Error {
  override name = 'WebhookError'
}

const encoder = new TextEncoder()

/**
 * Verifies the signatures of a delivery and returns its event. Throws instead of returning false, so that a
 * forgotten check cannot accept a forged delivery. WebCrypto compares in constant time.
 */
export async function verifyWebhook(input: WebhookInput): Promise<ObjectOf<Resources['event']>> {
  const body = typeof input.body === 'string' ? encoder.encode(input.body) : input.body
  const read = headerReader(input.headers)
  await checkServiceSignature(input.secret, body, read('x-service-sig-sha256'))
  await checkStandardSignature(input, body, read)
  return JSON.parse(new TextDecoder().decode(body))
}

type Read = (name: string) => string | undefined

function headerReader(headers: WebhookInput['headers']): Read {
  if (headers instanceof Headers) return name => headers.get(name) ?? undefined
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return name => lower.get(name)?.toString()
}

async function checkServiceSignature(secret: string, body: Uint8Array, given: string | undefined) {
  if (given === undefined) throw new WebhookError('the header X-Service-Sig-SHA256 is missing')
  const signature = fromHex(given)
  if (!signature || !(await isSigned(encoder.encode(secret), signature, body)))
    throw new WebhookError('the signature in X-Service-Sig-SHA256 does not match this body and secret')
}

/**
 * Standard Webhooks: id, time and body are signed, so that a delivery cannot be replayed later. Required,
 * because whoever replays a delivery could leave it out.
 */
async function checkStandardSignature(input: WebhookInput, body: Uint8Array, read: Read): Promise<void> {
  const given = read('webhook-signature')
  if (given === undefined) throw new WebhookError('the header webhook-signature is missing')
  const [id, timestamp] = [read('webhook-id') ?? '', read('webhook-timestamp') ?? '']
  checkAge(timestamp, input.tolerance ?? 300, input.now ?? Date.now())
  const key = fromBase64(input.secret.replace(/^whsec_/, ''))
  const head = encoder.encode(`${id}.${timestamp}.`)
  const content = new Uint8Array([...head, ...body])
  for (const entry of given.split(' ')) {
    const signature = entry.startsWith('v1,') ? fromBase64(entry.slice(3)) : undefined
    if (key && signature && (await isSigned(key, signature, content))) return
  }
  throw new WebhookError('no signature in webhook-signature matches this delivery and secret')
}

function checkAge(timestamp: string, tolerance: number, now: number): void {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  if (!(Math.abs(now / 1000 - seconds) <= tolerance))
    throw new WebhookError(`webhook-timestamp is not within ${tolerance} seconds of now: ${timestamp}`)
}

async function isSigned(key: Uint8Array, signature: Uint8Array, content: Uint8Array): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key as BufferSource, hmac, false, ['verify'])
  return crypto.subtle.verify('HMAC', imported, signature as BufferSource, content as BufferSource)
}

function fromHex(text: string): Uint8Array | undefined {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return undefined
  return Uint8Array.from(text.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
