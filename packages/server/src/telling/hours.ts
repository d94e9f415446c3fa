import {
  askOpenTimes,
  fromMicroseconds,
  type ScheduleTimes,
  type SiteTimes,
  toMicroseconds,
} from '@gatehouse-access/core'
import type { Hours } from './matter.ts'

/** A rule without a schedule counts always. */
export const always: Hours = { opensAt: at => at }

const day = 86_400 * 1_000_000
/** Days that are looked at: a week first, and a year for those that open on special days only. */
const spans = [8, 370] as const

/** When a schedule is open at a site, by the same code that decides at its doors. */
export function hoursOf(schedule: ScheduleTimes, site: SiteTimes): Hours {
  const ask = askOpenTimes(schedule, site)
  const known = new Map<string, string | null>()
  return {
    opensAt(at) {
      const found = known.get(at)
      if (found !== undefined) return found
      const opens = findOpening(ask, at)
      known.set(at, opens)
      return opens
    },
  }
}

function findOpening(ask: ReturnType<typeof askOpenTimes>, at: string): string | null {
  const from = toMicroseconds(at)
  for (const span of spans) {
    const [first] = ask(from, from + span * day)
    if (first) return first.from === from ? at : fromMicroseconds(first.from)
  }
  return null
}
