/**
 * Decisions 12: five wrong PINs in 60 s pause a keypad for 30 s, each further time twice as long, up to 5 minutes.
 * A right PIN changes nothing, or whoever has one could guess on between; an hour after a pause has ended the
 * next one is short again. While paused, PINs are refused without being looked up and are not counted. Cards
 * are unaffected. The state is plain data: stored, it survives a restart.
 */
export interface KeypadPause {
  /** Of the wrong PINs since the last pause, in microseconds, the recent ones only. */
  wrong_at: readonly number[]
  /** Length of the last pause, 0 before the first. */
  length: number
  until: number
}

const second = 1_000_000
const tries = 5
const window = 60 * second
const shortest = 30 * second
const longest = 300 * second
const memory = 3600 * second

export const noKeypadPause: KeypadPause = { wrong_at: [], length: 0, until: 0 }

export function isKeypadPaused(pause: KeypadPause, at: number): boolean {
  return at < pause.until
}

export function countWrongPin(pause: KeypadPause, at: number): KeypadPause {
  if (isKeypadPaused(pause, at)) return pause
  const wrong_at = [...pause.wrong_at.filter(time => at - time <= window), at]
  if (wrong_at.length < tries) return { ...pause, wrong_at }
  const length = nextLength(pause, at)
  return { wrong_at: [], length, until: at + length }
}

function nextLength({ length, until }: KeypadPause, at: number): number {
  if (length === 0 || at - until >= memory) return shortest
  return Math.min(length * 2, longest)
}
