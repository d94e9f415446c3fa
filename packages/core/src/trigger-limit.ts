/**
 * Protection against loops. A trigger whose target fires its own source again, perhaps through other
 * triggers, would run forever, and a state report does not say what caused it. So a trigger that ran ten
 * times within ten seconds is suspended for a minute. The state is plain data: the times of recent runs, and
 * the end of the suspension.
 */
export interface TriggerRest {
  ran_at: readonly number[]
  until: number
}

const second = 1_000_000
const mostRuns = 10
const window = 10 * second
const rest = 60 * second

export const noTriggerRest: TriggerRest = { ran_at: [], until: 0 }

/** Returns whether a trigger may run now, and its next state. Restarts when the clock was set back. */
export function countTriggerRun(known: TriggerRest, at: number): { runs: boolean; rest: TriggerRest } {
  if (at < known.until && known.until - at <= rest) return { runs: false, rest: known }
  const ran_at = [...known.ran_at.filter(time => time <= at && at - time <= window), at]
  if (ran_at.length <= mostRuns) return { runs: true, rest: { ran_at, until: 0 } }
  return { runs: false, rest: { ran_at: [], until: at + rest } }
}
