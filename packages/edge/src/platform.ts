/** What the controller needs of the machine it runs on. Everything that asks for time or chance asks here. */
export interface Platform {
  /** Microseconds since the machine was started: they only grow, and nobody sets them. */
  monotonic(): number
  /** Microseconds since 1970 by the machine's own clock, which may be wrong. */
  wall(): number
  /** Changes with every start of the machine: what `monotonic` counted before is then worth nothing. */
  readonly boot_id: string
  /** At least 0, less than 1. */
  random(): number
  /** Runs something later; answers how to cancel it. */
  later(milliseconds: number, run: () => void): () => void
}

export interface Log {
  info(message: string): void
  error(message: string): void
}

export const silentLog: Log = { info: () => {}, error: () => {} }

export function sleep(platform: Platform, milliseconds: number): Promise<void> {
  return new Promise(resolve => platform.later(milliseconds, resolve))
}

/** Text of random letters and digits that nobody guesses again by accident. */
export function randomName(platform: Platform, length = 20): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from({ length }, () => letters[Math.floor(platform.random() * letters.length)]).join('')
}
