import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
} from 'node:crypto'

/** The key of an account with a certificate authority. Signs every request to it (RFC 7515, ES256). */
export class AccountKey {
  readonly #key: KeyObject
  readonly #jwk: { crv: string; kty: string; x: string; y: string }

  constructor(pem: string) {
    this.#key = createPrivateKey(pem)
    const { crv = '', kty = '', x = '', y = '' } = createPublicKey(this.#key).export({ format: 'jwk' })
    this.#jwk = { crv, kty, x, y }
  }

  /** What proves to the authority that the account controls a name. The members of the JWK are sorted. */
  authorize(token: string): string {
    return `${token}.${hash('sha256', JSON.stringify(this.#jwk), 'base64url')}`
  }

  /** Returns the body of a request. Before the account has a URL, the request carries the public key. */
  sign(head: { url: string; nonce: string; account: string | undefined }, payload: object | ''): string {
    const { account, ...rest } = head
    const signer = account === undefined ? { jwk: this.#jwk } : { kid: account }
    const parts = [
      encode(JSON.stringify({ alg: 'ES256', ...rest, ...signer })),
      payload === '' ? '' : encode(JSON.stringify(payload)),
    ]
    const signed = { key: this.#key, dsaEncoding: 'ieee-p1363' } as const
    const signature = sign('sha256', Buffer.from(parts.join('.')), signed).toString('base64url')
    return JSON.stringify({ protected: parts[0], payload: parts[1], signature })
  }
}

/** Returns a new private key in PEM, for an account or a certificate. */
export function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url')
}
