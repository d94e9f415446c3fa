import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ConnectionError } from './errors.ts'

const derive = promisify(pbkdf2)

/** One authentication by SCRAM-SHA-256 (RFC 5802, RFC 7677), without channel binding. */
export class Scram {
  static readonly mechanism = 'SCRAM-SHA-256'
  readonly #nonce = randomBytes(18).toString('base64')
  readonly #password: string
  #serverSignature: Buffer = Buffer.alloc(0)

  constructor(password: string) {
    this.#password = password.normalize('NFKC')
  }

  first(): string {
    return `n,,${this.#bare}`
  }

  get #bare(): string {
    return `n=*,r=${this.#nonce}`
  }

  async answer(challenge: string): Promise<string> {
    const { r: nonce = '', s: salt = '', i: iterations = '' } = readAttributes(challenge)
    if (!nonce.startsWith(this.#nonce) || nonce.length === this.#nonce.length) throw untrusted()
    const salted = await derive(this.#password, Buffer.from(salt, 'base64'), Number(iterations), 32, 'sha256')
    const ending = `c=biws,r=${nonce}`
    const signed = `${this.#bare},${challenge},${ending}`
    const clientKey = sign(salted, 'Client Key')
    const signature = sign(createHash('sha256').update(clientKey).digest(), signed)
    this.#serverSignature = sign(sign(salted, 'Server Key'), signed)
    return `${ending},p=${Buffer.from(clientKey.map((byte, at) => byte ^ (signature[at] as number))).toString('base64')}`
  }

  /** The server proves that it knows the password too. */
  verify(final: string): void {
    const proof = Buffer.from(readAttributes(final).v ?? '', 'base64')
    if (proof.length !== this.#serverSignature.length || !timingSafeEqual(proof, this.#serverSignature))
      throw untrusted()
  }
}

function sign(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(text.split(',').map(part => [part[0], part.slice(2)]))
}

function untrusted(): ConnectionError {
  return new ConnectionError('28P01', 'the database could not prove that it knows the password')
}
