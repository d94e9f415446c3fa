/**
 * Wrong PINs pause a keypad. During a pause, PINs are refused without a lookup and are not counted; cards are
 * unaffected. The state is plain data, so it can be stored and survives a restart. A correct PIN does not
 * reset it: otherwise a member with a valid PIN could keep guessing in between.
 *
 * - Five wrong PINs in 60 s pause the keypad for 30 s. Each further pause is twice as long, up to 5 minutes.
 *   An hour after a pause has ended, the next pause is short again.
 * - A budget limits slow guessing: after 20 wrong PINs within an hour, each further one pauses the keypad for
 *   5 minutes, and after 60 within a day for 15 minutes. During an alarm for the whole site, the first wrong
 *   PIN already pauses for 5 minutes.
 *
 * No pause is longer than 15 minutes, so that nobody can lock others out for long.
 */
export interface KeypadPause {
  /** The times of recent wrong PINs since the last pause, in microseconds. */
  wrong_at: readonly number[]
  /** The length of the last pause for quick wrong PINs; 0 before the first. */
  length: number
  until: number
  /** The times of wrong PINs in the last day, limited to as many as the budget check needs. */
  of_day?: readonly number[]
}

const second = 1_000_000
const tries = 5
const window = 60 * second
const shortestPause = 30 * second
const longestPause = 300 * second
const memory = 3600 * second

/** The wrong entries allowed per keypad or reader, and per site in total, before guessing is penalized. */
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
  // A pause that seems longer than any was set by a clock that ran ahead.
  return at < pause.until && pause.until - at <= spentDay
}

/** `isSiteAlarmed`: the keypads of the site together have exceeded their budget of wrong PINs. */
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
