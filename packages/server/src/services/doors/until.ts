import { invalid } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'

const mostDays = 366

/** Throws if an end is not ahead, or so far ahead that nobody will remember it. */
export function checkUntil(field: string, until: string, now: string): void {
  if (until <= now) throw invalid(field, `${field} must be in the future, not ${until}`)
  if (until > addSeconds(now, mostDays * 86_400))
    throw invalid(field, `${field} must be at most ${mostDays} days ahead, not ${until}`)
}
