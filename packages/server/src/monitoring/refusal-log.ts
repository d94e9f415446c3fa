import type { Logger } from 'pino'
import { isBusy, isDiskFull } from '../database/away.ts'
import { findCause } from './causes.ts'
import { Trouble } from './trouble.ts'

/** What a database refuses to one request it refuses to all: the log has a line a minute for it, with how often. */
export class RefusalLog {
  readonly #kinds: readonly (readonly [(error: unknown) => boolean, Trouble])[]

  constructor(log: Logger) {
    this.#kinds = [
      [isBusy, new Trouble(log, 'too much is waiting for the database; further requests are refused')],
      [isDiskFull, new Trouble(log, 'the disk of the database is full; writes are refused')],
    ]
  }

  /** Whether something that is about to be logged is such a refusal: then it is counted here. */
  counts(entry: unknown): boolean {
    for (const [isMeant, trouble] of this.#kinds) {
      const error = findCause(entry, isMeant)
      if (!error) continue
      trouble.met(error.message)
      return true
    }
    return false
  }
}
