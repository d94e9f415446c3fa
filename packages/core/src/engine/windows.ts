import { grow } from './id-column.ts'
import { toMicroseconds } from './microseconds.ts'

/** Validity periods by number: start inclusive and end exclusive in microseconds, infinite where unbounded. */
export type Windows = Float64Array

export interface Validity {
  starts_at: string | null
  ends_at: string | null
}

export function isBounded({ starts_at, ends_at }: Validity): boolean {
  return starts_at !== null || ends_at !== null
}

/** The windows with that of `number` written; a longer copy where they were too short. */
export function writeWindow(windows: Windows, number: number, { starts_at, ends_at }: Validity): Windows {
  const target = windows.length < number * 2 + 2 ? grow(windows, number * 2 + 2) : windows
  target[number * 2] = starts_at === null ? -Infinity : toMicroseconds(starts_at)
  target[number * 2 + 1] = ends_at === null ? Infinity : toMicroseconds(ends_at)
  return target
}

export function startOf(windows: Windows, number: number): number {
  return windows[number * 2] as number
}

export function endOf(windows: Windows, number: number): number {
  return windows[number * 2 + 1] as number
}
