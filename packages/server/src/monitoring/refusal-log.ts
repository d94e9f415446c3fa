import type { Logger } from 'pino'
import { isBusy, isDiskFull } from '../database/away.ts'
import { findCause } from './causes.ts'
import { Trouble } from './trouble.ts'

/** Logs refusals that affect all requests alike: one line a minute, with the count. */
export class RefusalLog {
  readonly #kinds: readonly (readonly [(error: unknown) => boolean, Trouble])[]

  constructor(log: Logger) {
    this.#kinds = [
      [isBusy, new Trouble(log, 'too much is waiting for the database; further requests are refused')],
      [isDiskFull, new Trouble(log, 'the disk of the database is full; writes are refused')],
    ]
  }

  /** Returns true if an entry is such a refusal. It is then counted instead of logged. */
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
