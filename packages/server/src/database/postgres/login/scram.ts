import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ConnectionError, malformed } from '../wire/errors.ts'
import { preparePassword } from './prepare-password.ts'

const derive = promisify(pbkdf2)
/** About one second on one core. A larger count would occupy a thread long after the connect timeout. */
const mostIterations = 2_000_000

/** One SCRAM-SHA-256 authentication (RFC 5802, RFC 7677), without channel binding. */
export class Scram {
  static readonly mechanism = 'SCRAM-SHA-256'
  readonly #nonce = randomBytes(18).toString('base64')
  readonly #password: string
  #isAnswered = false
  #serverSignature: Buffer | undefined
  #isProven = false

  constructor(password: string) {
    this.#password = preparePassword(password)
  }

  first(): string {
    return `n,,${this.#bare}`
  }

  get #bare(): string {
    return `n=*,r=${this.#nonce}`
  }

  async answer(challenge: string): Promise<string> {
    const { r: nonce = '', s: salt = '', i: iterations = '' } = readAttributes(challenge)
    if (this.#isAnswered || !nonce.startsWith(this.#nonce) || nonce.length === this.#nonce.length)
      throw untrusted()
    this.#isAnswered = true
    const salted = await derive(
      this.#password,
      Buffer.from(salt, 'base64'),
      readIterations(iterations),
      32,
      'sha256',
    )
    const ending = `c=biws,r=${nonce}`
    const signed = `${this.#bare},${challenge},${ending}`
    const clientKey = sign(salted, 'Client Key')
    const signature = sign(createHash('sha256').update(clientKey).digest(), signed)
    this.#serverSignature = sign(sign(salted, 'Server Key'), signed)
    return `${ending},p=${Buffer.from(clientKey.map((byte, at) => byte ^ (signature[at] ?? 0))).toString('base64')}`
  }

  /** Throws unless the server proves that it knows the password too. */
  verify(final: string): void {
    const proof = Buffer.from(readAttributes(final).v ?? '', 'base64')
    const expected = this.#serverSignature
    if (proof.length !== expected?.length || !timingSafeEqual(proof, expected)) throw untrusted()
    this.#isProven = true
  }

  assertProven(): void {
    if (!this.#isProven) throw untrusted()
  }
}

function readIterations(text: string): number {
  const iterations = Number(text)
  if (Number.isInteger(iterations) && iterations > 0 && iterations <= mostIterations) return iterations
  throw malformed(`it asks for ${text.slice(0, 20)} iterations of SCRAM, of 1 to ${mostIterations}`)
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
