/** Whether a PIN is too easy to guess to be generated: a run, a repetition, or a possible date. */
export function isWeakPin(pin: string): boolean {
  return isRun(pin) || isRepetition(pin) || readsAsDate(pin)
}

function isRun(pin: string): boolean {
  const step = (pin.charCodeAt(1) - pin.charCodeAt(0) + 10) % 10
  if (step !== 1 && step !== 9) return false
  for (let index = 1; index < pin.length; index++)
    if ((pin.charCodeAt(index) - pin.charCodeAt(index - 1) + 10) % 10 !== step) return false
  return true
}

function isRepetition(pin: string): boolean {
  for (let period = 1; period <= pin.length / 2; period++)
    if (pin.slice(0, -period) === pin.slice(period)) return true
  return false
}

const monthDay = '(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])'
const dayMonth = '(0[1-9]|[12][0-9]|3[01])(0[1-9]|1[0-2])'
const year = '(19|20)[0-9]{2}'
const datePattern = new RegExp(
  `^(${year}|${monthDay}|${dayMonth}|(${monthDay}|${dayMonth})([0-9]{2}|${year})|([0-9]{2}|${year})(${monthDay}|${dayMonth}))$`,
)

function readsAsDate(pin: string): boolean {
  return datePattern.test(pin)
}

export function possiblePins(length: number): number {
  return 10 ** length
}

/**
 * Possible PINs per allocated PIN (IEC 60839-11-1). The default length is the shortest, from 6, that keeps
 * it.
 */
export const comfortableRatio = 1000
/** An explicit length or PIN is refused only below this ratio. */
export const refusedRatio = 20
