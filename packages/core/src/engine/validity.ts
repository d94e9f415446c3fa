import { toMicroseconds } from './microseconds.ts'

/** Start inclusive, end exclusive. Null or absent means unbounded. */
export interface Validity {
  starts_at?: string | null
  ends_at?: string | null
}

export function isBounded({ starts_at, ends_at }: Validity): boolean {
  return starts_at != null || ends_at != null
}

export function startOf({ starts_at }: Validity): number {
  return starts_at == null ? -Infinity : toMicroseconds(starts_at)
}

export function endOf({ ends_at }: Validity): number {
  return ends_at == null ? Infinity : toMicroseconds(ends_at)
}
