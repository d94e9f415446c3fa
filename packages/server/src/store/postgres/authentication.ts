import { createHash } from 'node:crypto'
import type { Address } from './address.ts'
import { ConnectionError } from './errors.ts'
import { front } from './messages.ts'
import { Scram } from './scram.ts'
import { WireWriter } from './wire-writer.ts'

const kinds = { ok: 0, cleartext: 3, md5: 5, sasl: 10, saslContinue: 11, saslFinal: 12 } as const

/** Answers what PostgreSQL asks for before it lets somebody in. */
export class Authentication {
  readonly #address: Address
  readonly #scram: Scram

  constructor(address: Address) {
    this.#address = address
    this.#scram = new Scram(address.password ?? '')
  }

  /** What is to be sent; undefined: nothing. */
  async answer(message: Buffer): Promise<Buffer | undefined> {
    const rest = message.subarray(4)
    switch (message.readInt32BE(0)) {
      case kinds.ok:
        return undefined
      case kinds.cleartext:
        return reply(out => out.text(this.#password()))
      case kinds.md5:
        return reply(out => out.text(this.#hash(rest)))
      case kinds.sasl:
        return this.#begin(rest.toString().split('\0'))
      case kinds.saslContinue: {
        const proof = await this.#scram.answer(rest.toString())
        return reply(out => out.bytes(Buffer.from(proof)))
      }
      case kinds.saslFinal:
        return void this.#scram.verify(rest.toString())
      default:
        throw new ConnectionError(
          '28000',
          'the database asks for a kind of sign-in that is not supported: only passwords and certificates are',
        )
    }
  }

  #begin(mechanisms: readonly string[]): Buffer {
    this.#password()
    if (!mechanisms.includes(Scram.mechanism))
      throw new ConnectionError(
        '28000',
        `the database offers ${mechanisms.filter(Boolean).join(', ')}, and not ${Scram.mechanism}`,
      )
    const first = Buffer.from(this.#scram.first())
    return reply(out => {
      out.text(Scram.mechanism)
      out.value(first)
    })
  }

  #hash(salt: Buffer): string {
    const inner = md5(Buffer.from(this.#password() + this.#address.user))
    return `md5${md5(Buffer.concat([Buffer.from(inner), salt]))}`
  }

  #password(): string {
    const { password } = this.#address
    if (!password)
      throw new ConnectionError('28P01', 'the database asks for a password, and the URL has none')
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
