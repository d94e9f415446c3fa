import { randomBytes } from 'node:crypto'

/** Makes words that stand nowhere else, and knows them. */
export class CanaryWords {
  readonly made: string[] = []

  /** Without capitals, so that an address in lower case is found, too. */
  readonly word = (): string => {
    const word = `canary${randomBytes(6).toString('hex')}`
    this.made.push(word)
    return word
  }

  readonly email = () => `${this.word()}@example.com`
  readonly metadata = () => ({ [this.word()]: this.word() })
}
