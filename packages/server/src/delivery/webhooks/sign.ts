import { createHmac } from 'node:crypto'

/** Both keys of a webhook's secret. */
export interface SigningKey {
  /** This signature is keyed with the whole secret as it was shown. */
  readonly whole: Buffer
  /** Standard Webhooks are keyed with the 32 bytes that it encodes. */
  readonly decoded: Buffer
}

export function signingKey(secret: string): SigningKey {
  return {
    whole: Buffer.from(secret),
    decoded: Buffer.from(secret.replace(/^whsec_/, ''), 'base64'),
  }
}

/** Names and values in turn, as the connection writes them. */
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
