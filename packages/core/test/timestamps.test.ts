import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addSeconds,
  epochMilliseconds,
  formatInstant,
  fromMilliseconds,
  parseTimestamp,
} from '../src/index.ts'
import { runs } from './runs.ts'

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`))
const near = (max: number) => fc.integer({ min: 0, max }).map(value => String(value).padStart(2, '0'))
const offset = fc.oneof(
  fc.constantFrom('Z', 'z', '-00:00', '+24:00', '+05:60'),
  fc.tuple(fc.constantFrom('+', '-'), near(26), near(63)).map(([sign, h, m]) => `${sign}${h}:${m}`),
)
const anyInput = fc
  .tuple(
    fc.oneof(digits(4), fc.constantFrom('0000', '0001', '1900', '2000', '2024', '2026', '9999')),
    fc.tuple(near(14), near(33), fc.constantFrom('T', 't', ' ')),
    fc.tuple(near(25), near(61), near(61)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{0,12}$/)),
    offset,
  )
  .map(
    ([year, [month, day, t], time, fraction, zone]) =>
      `${year}-${month}-${day}${t}${time.join(':')}${fraction}${zone}`,
  )

/** Parses with Temporal, within our format: four-digit years from 1 on, no leap seconds, and an offset. */
function readByCalendar(input: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(input)) return undefined
  if (input.slice(17, 19) === '60') return undefined
  try {
    const text = formatInstant(Temporal.Instant.from(input.replace(/(\.\d{9})\d+/, '$1')))
    return text.length === 27 && text >= '0001' ? text : undefined
  } catch {
    return undefined
  }
}

test('a timestamp is read as the calendar reads it, and refused where the calendar does', () => {
  let read = 0
  fc.assert(
    fc.property(anyInput, input => {
      const expected = readByCalendar(input)
      if (expected) read++
      expect(parseTimestamp(input)).toBe(expected)
    }),
    runs(5000, 200_000),
  )
  expect(read).toBeGreaterThan(250)
})

const [first, last] = ['0001-01-02', '9999-12-30'].map(day => Date.parse(`${day}T00:00:00Z`) * 1000) as [
  number,
  number,
]
const anyTimestamp = fc
  .bigInt({ min: BigInt(first), max: BigInt(last) })
  .map(microseconds => formatInstant(Temporal.Instant.fromEpochNanoseconds(microseconds * 1000n)))

test('seconds are added, and milliseconds counted, as the calendar does it', () => {
  fc.assert(
    fc.property(anyTimestamp, fc.integer({ min: -86_400, max: 86_400 }), (timestamp, seconds) => {
      const instant = Temporal.Instant.from(timestamp)
      expect(addSeconds(timestamp, seconds)).toBe(formatInstant(instant.add({ seconds })))
      expect(epochMilliseconds(timestamp)).toBe(instant.epochMilliseconds)
      expect(fromMilliseconds(instant.epochMilliseconds)).toBe(
        formatInstant(Temporal.Instant.fromEpochMilliseconds(instant.epochMilliseconds)),
      )
    }),
    runs(1500, 50_000),
  )
})
