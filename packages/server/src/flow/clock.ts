/** The source of the current time. All code takes the time from a Clock, so that tests can set it. */
export interface Clock {
  /** Returns the current UTC time with microseconds. */
  now(): string
}

export const systemClock: Clock = { now: () => formatMicroseconds(readMicroseconds()) }

let origin = performance.timeOrigin

// `Date.now()` has only milliseconds. `performance.now()` is finer but does not follow changes of the system
// clock, so it is realigned when the two differ by 2 ms or more.
function readMicroseconds(): number {
  const wall = Date.now()
  const fine = origin + performance.now()
  if (Math.abs(fine - wall) < 2) return Math.floor(fine * 1000)
  origin += wall - fine
  return wall * 1000
}

let second = -1
let secondText = ''

// Every request reads the clock, so a date is formatted only once per second.
function formatMicroseconds(microseconds: number): string {
  const seconds = Math.floor(microseconds / 1_000_000)
  if (seconds !== second) {
    second = seconds
    secondText = new Date(seconds * 1000).toISOString().slice(0, 20)
  }
  return `${secondText}${String(microseconds % 1_000_000).padStart(6, '0')}Z`
}
