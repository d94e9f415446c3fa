/** Time as a service: everything that asks what time it is gets this, so that tests can set it. */
export interface Clock {
  /** Now, UTC, in microseconds. */
  now(): string
}

export const systemClock: Clock = { now: () => formatMicroseconds(readMicroseconds()) }

let origin = performance.timeOrigin

// The system clock has only milliseconds here. The fine one has more, but does not follow when the system clock is set.
function readMicroseconds(): number {
  const wall = Date.now()
  const fine = origin + performance.now()
  if (Math.abs(fine - wall) < 2) return Math.floor(fine * 1000)
  origin += wall - fine
  return wall * 1000
}

let second = -1
let secondText = ''

// Every request asks, so only a new second is formatted as a date.
function formatMicroseconds(microseconds: number): string {
  const seconds = Math.floor(microseconds / 1_000_000)
  if (seconds !== second) {
    second = seconds
    secondText = new Date(seconds * 1000).toISOString().slice(0, 20)
  }
  return `${secondText}${String(microseconds % 1_000_000).padStart(6, '0')}Z`
}
