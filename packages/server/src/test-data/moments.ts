import { type Kind, prefixes } from '@gatehouse-access/api'
import { makeId } from '@gatehouse-access/core'

const year = 365 * 86_400_000
const random = new Uint8Array(7 * 1024)
let used = random.length

/** An instant in two forms: for ids, and for columns. */
export interface Moment {
  readonly milliseconds: number
  readonly timestamp: string
}

/** Moment `index` of `total`, spread evenly over the twelve months before `now`, oldest first. */
export function momentAt(index: number, total: number, now: number): Moment {
  const exact = now - year + ((index + Math.random()) * year) / total
  const milliseconds = Math.floor(exact)
  const micros = String(Math.floor((exact - milliseconds) * 1000)).padStart(3, '0')
  return { milliseconds, timestamp: new Date(milliseconds).toISOString().replace('Z', `${micros}Z`) }
}

export function idAt(kind: Kind, { milliseconds }: Moment): string {
  if (used >= random.length) {
    crypto.getRandomValues(random)
    used = 0
  }
  used += 7
  return makeId(prefixes[kind], milliseconds, random.subarray(used - 7, used))
}

/** First days of the months within the twelve months before `now`. */
export function monthsBefore(now: number): string[] {
  const first = new Date(now - year)
  const months = Array.from({ length: 14 }, (_, index) =>
    Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + index),
  )
  return months.filter(month => month <= now).map(month => new Date(month).toISOString().slice(0, 10))
}
