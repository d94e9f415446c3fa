import { createHash } from 'node:crypto'
import { ConnectionError, malformed } from '../wire/errors.ts'
import { front } from '../wire/messages.ts'
import { WireWriter } from '../wire/writer.ts'
import type { Address } from './address.ts'
import { Scram } from './scram.ts'

const kinds = { ok: 0, cleartext: 3, md5: 5, sasl: 10, saslContinue: 11, saslFinal: 12 } as const

/**
 * Answers PostgreSQL's authentication requests. PostgreSQL may request one method, once. With SCRAM, the
 * server must also prove that it knows the password before it is trusted.
 */
export class Authentication {
  /** Whether the server has accepted the authentication. */
  isOver = false
  readonly #address: Address
  readonly #isPrivate: boolean
  #isAsked = false
  #scram: Scram | undefined

  /** Unless `isPrivate`, the password is never sent in plain text. */
  constructor(address: Address, isPrivate: boolean) {
    this.#address = address
    this.#isPrivate = isPrivate
  }

  /** Returns the message to send, or undefined if there is none. */
  answer(message: Buffer): Buffer | Promise<Buffer> | undefined {
    const kind = message.length < 4 ? undefined : message.readInt32BE(0)
    const rest = message.subarray(4)
    switch (kind) {
      case kinds.ok:
        return void this.#end()
      case kinds.cleartext:
        return this.#showPassword()
      case kinds.md5:
        return this.#hash(rest)
      case kinds.sasl:
        return this.#begin(rest.toString().split('\0'))
      case kinds.saslContinue:
        return this.#prove(rest.toString())
      case kinds.saslFinal:
        return void this.#begun().verify(rest.toString())
      default:
        throw new ConnectionError(
          '28000',
          'the database asks for an authentication method that is not supported: only passwords and certificates are',
        )
    }
  }

  #end(): void {
    this.#scram?.assertProven()
    this.isOver = true
  }

  #showPassword(): Buffer {
    const password = this.#takePassword()
    if (this.#isPrivate) return reply(out => out.text(password))
    throw new ConnectionError(
      '28000',
      'the database asks for the password in plain text, which others on the network could read: set sslmode=verify-full in DATABASE_URL, or make the database use scram-sha-256',
    )
  }

  #hash(salt: Buffer): Buffer {
    const inner = md5(Buffer.from(this.#takePassword() + this.#address.user))
    return reply(out => out.text(`md5${md5(Buffer.concat([Buffer.from(inner), salt]))}`))
  }

  #begin(mechanisms: readonly string[]): Buffer {
    const scram = new Scram(this.#takePassword())
    if (!mechanisms.includes(Scram.mechanism))
      throw new ConnectionError(
        '28000',
        `the database offers ${mechanisms.filter(Boolean).join(', ')}, and not ${Scram.mechanism}`,
      )
    this.#scram = scram
    return reply(out => {
      out.text(Scram.mechanism)
      out.value(Buffer.from(scram.first()))
    })
  }

  async #prove(challenge: string): Promise<Buffer> {
    const proof = await this.#begun().answer(challenge)
    return reply(out => out.bytes(Buffer.from(proof)))
  }

  #begun(): Scram {
    if (!this.#scram) throw malformed('it went on with a sign-in that had not begun')
    return this.#scram
  }

  #takePassword(): string {
    if (this.#isAsked) throw malformed('it asked for the password twice')
    this.#isAsked = true
    const { password } = this.#address
    if (!password)
      throw new ConnectionError('28P01', 'the database asks for a password, but DATABASE_URL has none')
    return password
  }
}

function md5(data: Buffer): string {
  return createHash('md5').update(data).digest('hex')
}

function reply(write: (out: WireWriter) => void): Buffer {
  const out = new WireWriter()
  out.begin(front.password)
  write(out)
  out.finish()
  return out.take()
}
