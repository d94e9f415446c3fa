import { spoken, t } from '../language/t.ts'

type Unit = 'day' | 'hour' | 'minute' | 'second'

const units: readonly (readonly [Unit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

const one: Record<Unit, string> = spoken({
  day: 'a day',
  hour: 'an hour',
  minute: 'a minute',
  second: 'a second',
})

const every: Record<Unit, string> = spoken({
  day: 'every day',
  hour: 'every hour',
  minute: 'every minute',
  second: 'every second',
})

const words: Record<Unit, readonly [one: string, many: string]> = spoken({
  day: ['day', 'days'],
  hour: ['hour', 'hours'],
  minute: ['minute', 'minutes'],
  second: ['second', 'seconds'],
})

/** Returns the largest unit of which some seconds are a whole number, and that number. */
function inUnits(seconds: number): readonly [Unit, number] {
  const [unit, size] = units.find(([, size]) => seconds >= size && seconds % size === 0) ?? ['second', 1]
  return [unit, seconds / size]
}

/** Returns `1 hour` or `90 seconds`. */
export function secondsWords(seconds: number): string {
  const [unit, count] = inUnits(seconds)
  return `${count} ${words[unit][count === 1 ? 0 : 1]}`
}

/** Returns `an hour` or `90 seconds`. */
export function lengthWords(seconds: number): string {
  const [unit, count] = inUnits(seconds)
  return count === 1 ? one[unit] : secondsWords(seconds)
}

/** Returns `every hour` or `every 90 seconds`. */
export function everyWords(seconds: number): string {
  const [unit, count] = inUnits(seconds)
  return count === 1 ? every[unit] : t(`every ${secondsWords(seconds)}`)
}
