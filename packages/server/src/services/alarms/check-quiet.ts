import { invalid, mostQuietDays } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'

/** Throws if a time of quiet does not end soon: what nobody is told of for weeks is forgotten. */
export function checkQuiet(until: string, now: string): void {
  if (until <= now) throw invalid('until', `until must be in the future, not ${until}`)
  if (until > addSeconds(now, mostQuietDays * 86_400))
    throw invalid('until', `until must be at most ${mostQuietDays} days ahead, not ${until}`)
}
