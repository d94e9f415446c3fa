import { createHmac } from 'node:crypto'

/** The two keys derived from a webhook's secret. */
export interface SigningKey {
  /** Key of `x-service-sig-sha256`: the whole secret as shown. */
  readonly whole: Buffer
  /** Key of Standard Webhooks: the 32 bytes that the secret encodes. */
  readonly decoded: Buffer
}

export function signingKey(secret: string): SigningKey {
  return {
    whole: Buffer.from(secret),
    decoded: Buffer.from(secret.replace(/^whsec_/, ''), 'base64'),
  }
}

/** Alternating names and values, as the connection writes them. */
export function signedHeaders(key: SigningKey, eventId: string, seconds: number, body: Buffer): string[] {
  return [
    'content-type',
    'application/json',
    'user-agent',
    'Gatehouse-Webhooks/2.0',
    'x-service-sig-sha256',
    createHmac('sha256', key.whole).update(body).digest('hex'),
    'webhook-id',
    eventId,
    'webhook-timestamp',
    String(seconds),
    'webhook-signature',
    `v1,${createHmac('sha256', key.decoded).update(`${eventId}.${seconds}.`).update(body).digest('base64')}`,
  ]
}
