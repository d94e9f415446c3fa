import { addSeconds } from '@gatehouse-access/core'
import { type AlarmRow, overSince } from './alarm-row.ts'
import type { Condition } from './condition.ts'

/** Seconds after its end within which a condition that begins again is the same alarm. */
export const memory = 300

/**
 * What a condition that begins does to the last alarm it had.
 *
 *   none ───────────────────────────────────────▶ create
 *   on, or this beginning is known already ─────▶ nothing
 *   over, and not closed ───────────────────────▶ reopen: nobody has dealt with it
 *   over, closed at most 5 minutes after its end ▶ reopen
 *   over, closed, and 5 minutes have passed ────▶ create
 *
 * So telling of the same beginning twice, after a crash or from two processes, changes nothing.
 */
export function judge(
  last: AlarmRow | undefined,
  { started_at }: Pick<Condition, 'started_at'>,
): 'create' | 'reopen' | 'nothing' {
  if (!last) return 'create'
  if (started_at <= last.last_occurred_at) return 'nothing'
  if (overSince(last) === null && last.state !== 'closed') return 'nothing'
  return last.state !== 'closed' || isRepeat(last, started_at) ? 'reopen' : 'create'
}

/** One that was closed by hand while it was on, and begins again, has ended in between. */
function isRepeat(last: AlarmRow, startedAt: string): boolean {
  return startedAt <= addSeconds(overSince(last) ?? last.last_occurred_at, memory)
}

/** Whether somebody has it in hand: an acknowledged alarm that soon begins again needs no second person. */
export function isTaken(last: AlarmRow, startedAt: string): boolean {
  if (last.state !== 'acknowledged') return false
  return isRepeat(last, startedAt) || (last.snoozed_until ?? '') > startedAt
}
