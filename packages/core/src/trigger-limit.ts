/**
 * Protection against loops: a trigger whose target sets off its own source again, perhaps through other triggers, would
 * run for ever, and nothing in a report says what caused it. So a trigger that ran ten times within ten seconds rests
 * for a minute. The state is plain data: the instants of its recent runs, and until when it rests.
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

/** Whether a trigger may run now, and what is known of it afterwards. A clock that was set back begins anew. */
export function countTriggerRun(known: TriggerRest, at: number): { runs: boolean; rest: TriggerRest } {
  if (at < known.until && known.until - at <= rest) return { runs: false, rest: known }
  const ran_at = [...known.ran_at.filter(time => time <= at && at - time <= window), at]
  if (ran_at.length <= mostRuns) return { runs: true, rest: { ran_at, until: 0 } }
  return { runs: false, rest: { ran_at: [], until: at + rest } }
}
