import { fromMilliseconds } from '@gatehouse-access/core'

/** When a user wants to hear of critical alarms only. */
export interface Quiet {
  readonly from: string
  readonly to: string
  readonly zone: string
}

type OffsetAt = (zone: string, at: string) => number

const minute = 60_000
const day = 24 * 60

/** Returns when the quiet hours end that an instant is in, or null if it is in none. */
export function quietUntil(quiet: Quiet | null, now: string, offsetAt: OffsetAt): string | null {
  if (!quiet) return null
  const local = Date.parse(now) + offsetAt(quiet.zone, now) * 1000
  const clock = Math.floor(local / minute) % day
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)]
  const isQuiet = from <= to ? clock >= from && clock < to : clock >= from || clock < to
  if (!isQuiet) return null
  const end = (Math.floor(local / minute) + ((to - clock + day) % day)) * minute
  // The clocks may change until then.
  const guess = fromMilliseconds(end - offsetAt(quiet.zone, now) * 1000)
  return fromMilliseconds(end - offsetAt(quiet.zone, guess) * 1000)
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
