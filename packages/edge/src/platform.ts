/** What the controller needs from its machine. All time and randomness come from here. */
export interface Platform {
  /** Microseconds since boot. Never decreases and is never set. */
  monotonic(): number
  /** Microseconds since 1970 by the machine's own clock, which can be wrong. */
  wall(): number
  /** Changes with every boot. Earlier values of `monotonic` are then meaningless. */
  readonly boot_id: string
  /** At least 0, less than 1. */
  random(): number
  /** Schedules a callback. Returns a function that cancels it. */
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

/** Returns random letters and digits, long enough to avoid accidental collisions. */
export function randomName(platform: Platform, length = 20): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from({ length }, () => letters[Math.floor(platform.random() * letters.length)]).join('')
}
