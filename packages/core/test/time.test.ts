import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInside } from '../src/engine/days/bounds.ts'
import { type AnyWeek, compileWeek, intersectWeeks, nextInWeek, uniteAllWeeks } from '../src/engine/week.ts'
import { createZone, stretchAt } from '../src/engine/zones.ts'
import { formatInstant, fromMicroseconds, toMicroseconds } from '../src/index.ts'
import { runs } from './runs.ts'

const utc = createZone('UTC')
const first = toMicroseconds('1700-01-01T00:00:00.000000Z')
const last = toMicroseconds('2254-12-31T23:59:59.999999Z')
const anyInstant = fc.maxSafeInteger().filter(at => at >= first && at <= last)

test('timestamps and microseconds are the same instants', () => {
  fc.assert(
    fc.property(anyInstant, at => {
      const text = formatInstant(Temporal.Instant.fromEpochNanoseconds(BigInt(at) * 1000n))
      expect(fromMicroseconds(at)).toBe(text)
      expect(toMicroseconds(text)).toBe(at)
    }),
    runs(500, 20_000),
  )
})

test.each([
  ['2026-11-14T10:30:00+01:00', '2026-11-14T09:30:00.000000Z'],
  ['2026-11-14T09:30:00.1234567Z', '2026-11-14T09:30:00.123456Z'],
  ['1969-12-31T23:59:59.9999999Z', '1969-12-31T23:59:59.999999Z'],
])('%s is read as well', (input, canonical) => {
  expect(fromMicroseconds(toMicroseconds(input))).toBe(canonical)
})

test('far dates keep their order', () => {
  const dates = ['0001-01-01T00:00:00.000000Z', '2026-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z']
  const instants = dates.map(toMicroseconds)
  expect(instants.toSorted((a, b) => a - b)).toEqual(instants)
})

const zones = Intl.supportedValuesOf('timeZone')
const soon = toMicroseconds('2040-01-01T00:00:00.000000Z')
const anyZone = fc.constantFrom(...zones)

test('a stretch has the offset that the calendar has, at both ends and inside', () => {
  const known = new Map(zones.map(name => [name, createZone(name)]))
  fc.assert(
    fc.property(anyZone, fc.integer({ min: -2_000_000_000, max: soon / 1_000_000 }), (name, second) => {
      const zone = known.get(name) ?? createZone(name)
      const stretch = stretchAt(zone, second * 1_000_000)
      for (const at of [second * 1_000_000, stretch.from, stretch.until - 1].filter(Number.isFinite))
        expect(offsetOf(name, at)).toBe(stretch.offset)
      for (const at of [stretch.from - 1, stretch.until].filter(Number.isFinite))
        expect(offsetOf(name, at)).not.toBe(stretch.offset)
    }),
    runs(1000, 30_000),
  )
})

function offsetOf(name: string, at: number): number {
  const instant = Temporal.Instant.fromEpochNanoseconds(BigInt(at) * 1000n)
  return instant.toZonedDateTimeISO(name).offsetNanoseconds / 1000
}

const anyWeek = fc
  .array(fc.uniqueArray(fc.nat(86_400), { maxLength: 4 }), { minLength: 7, maxLength: 7 })
  .map(days => days.map(bounds => ({ ranges: toRanges(bounds.sort((a, b) => a - b)) })))

function toRanges([a, b, c, d]: number[]) {
  const pairs = [
    [a, b],
    [c, d],
  ]
  return pairs.flatMap(([start, end]) => (start !== undefined && end !== undefined ? [{ start, end }] : []))
}

/** Every odd second of one hour of each day. */
const crowded = compileWeek(
  Array.from({ length: 7 }, () => ({
    ranges: Array.from({ length: 1800 }, (_, place) => ({ start: place * 2 + 1, end: place * 2 + 2 })),
  })),
)

/** `second` counts from Monday 1970-01-05 00:00 UTC. */
function isOpen(week: AnyWeek, second: number): boolean {
  const at = (4 * 86_400 + second) * 1_000_000
  return nextInWeek(week, utc, at, at) === at
}

test('weeks unite and intersect second by second', () => {
  fc.assert(
    fc.property(
      anyWeek,
      anyWeek,
      fc.array(fc.nat(604_799), { minLength: 50, maxLength: 50 }),
      (a, b, seconds) => {
        const [left, right] = [compileWeek(a), compileWeek(b)]
        const bounds = [...left, ...right].flatMap(bound => [bound - 1, bound, bound + 1])
        const united = uniteAllWeeks([left, right])
        const shared = intersectWeeks(left, right)
        // The crowded week has enough bounds to be stored as a bitmap.
        const unitedBits = uniteAllWeeks([crowded, left, right])
        const sharedBits = intersectWeeks(crowded, left)
        const asked = [...seconds, ...bounds].filter(second => second >= 0 && second < 604_800)
        const weeks = [united, shared, unitedBits, sharedBits]
        const found = asked.map(second => [second, ...weeks.map(week => isOpen(week, second))])
        // Compared at once, because an assertion costs more than what it compares.
        expect(found).toEqual(
          asked.map(second => {
            const [inLeft, inRight, inCrowded] = [left, right, crowded].map(week => isInside(week, second))
            return [
              second,
              inLeft || inRight,
              inLeft && inRight,
              inLeft || inRight || inCrowded,
              inLeft && inCrowded,
            ]
          }),
        )
      },
    ),
    runs(60, 2000),
  )
})
