/**
 * Wrong PINs make a keypad pause. While paused, PINs are refused without being looked up and are not counted; cards are
 * unaffected. The state is plain data: stored, it survives a restart. A right PIN resets nothing, otherwise someone who has
 * one could keep guessing in between.
 *
 * - Five wrong PINs in 60 s pause it for 30 s, each further time twice as long, up to 5 minutes. An hour after a pause has
 *   ended, the next one is short again.
 * - Slow guessing is limited by a budget: after 20 wrong PINs within an hour, each further one pauses it for 5 minutes, and
 *   after 60 within a day for 15. While PINs are guessed across the site, the first wrong one already does.
 *
 * No pause is longer than 15 minutes, so that nobody can keep others out for long.
 */
export interface KeypadPause {
  /** When the recent wrong PINs since the last pause were entered, in microseconds. */
  wrong_at: readonly number[]
  /** Length of the last pause after quick wrong PINs, 0 before the first. */
  length: number
  until: number
  /** When the wrong PINs of the last day were entered; as many as are needed to know whether a budget is spent. */
  of_day?: readonly number[]
}

const second = 1_000_000
const tries = 5
const window = 60 * second
const shortestPause = 30 * second
const longestPause = 300 * second
const memory = 3600 * second

/** Wrong entries that a keypad or reader, and all those of a site, may have before guessing costs more. */
export const guessBudgets = {
  device: { hour: 20, day: 60 },
  site: { hour: 60, day: 200 },
} as const

const hour = 3600 * second
const day = 24 * hour
const spentHour = longestPause
const spentDay = 900 * second

export const noKeypadPause: KeypadPause = { wrong_at: [], length: 0, until: 0 }

export function isKeypadPaused(pause: KeypadPause, at: number): boolean {
  return at < pause.until
}

/** `isSiteAlarmed`: the keypads of the site together have had more wrong PINs than their budget. */
export function countWrongEntry(pause: KeypadPause, at: number, isSiteAlarmed = false): KeypadPause {
  if (isKeypadPaused(pause, at)) return pause
  const of_day = countDay(pause, at)
  const wrong_at = [...pause.wrong_at.filter(time => at - time <= window), at]
  const isQuick = wrong_at.length >= tries
  const length = isQuick ? nextLength(pause, at) : pause.length
  const rest = Math.max(isQuick ? length : 0, budgetPause(of_day, at), isSiteAlarmed ? spentHour : 0)
  if (rest === 0) return { ...pause, wrong_at, of_day }
  return { wrong_at: [], length, until: at + rest, of_day }
}

function countDay({ of_day = [] }: KeypadPause, at: number): number[] {
  return [...of_day.filter(time => at - time < day), at].slice(-guessBudgets.device.day - 1)
}

function budgetPause(ofDay: readonly number[], at: number): number {
  if (ofDay.length > guessBudgets.device.day) return spentDay
  return ofDay.filter(time => at - time < hour).length > guessBudgets.device.hour ? spentHour : 0
}

function nextLength({ length, until }: KeypadPause, at: number): number {
  if (length === 0 || at - until >= memory) return shortestPause
  return Math.min(length * 2, longestPause)
}
