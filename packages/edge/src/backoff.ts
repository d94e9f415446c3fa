import { deviceClosings } from '@gatehouse-access/api/device-protocol/closings'

const longestPause = 30_000
const whenReplaced = 5_000
const whenRefused = 300_000

/** Returns the milliseconds before the next attempt: 1, 2, 4 … 30 s, plus up to half of that as jitter. */
export function backoff(attempt: number, closeCode: number, random: number): number {
  const base = Math.min(1000 * 2 ** attempt, longestPause)
  const least =
    closeCode === deviceClosings.unauthenticated.code
      ? whenRefused
      : closeCode === deviceClosings.replaced.code
        ? whenReplaced
        : 0
  return Math.round(Math.max(base, least) * (1 + random / 2))
}
