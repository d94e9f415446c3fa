import { type HmacKey, hmac, hmacKey } from './hmac.ts'

/** Both keys of a webhook's secret. */
export interface SigningKey {
  /** The spec's signature is keyed with the whole secret as it was shown. */
  readonly whole: HmacKey
  /** Standard Webhooks are keyed with the 32 bytes that it encodes. */
  readonly decoded: HmacKey
}

export function signingKey(secret: string): SigningKey {
  return {
    whole: hmacKey(Buffer.from(secret)),
    decoded: hmacKey(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')),
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
    hmac(key.whole, '', body, 'hex'),
    'webhook-id',
    eventId,
    'webhook-timestamp',
    String(seconds),
    'webhook-signature',
    `v1,${hmac(key.decoded, `${eventId}.${seconds}.`, body, 'base64')}`,
  ]
}
