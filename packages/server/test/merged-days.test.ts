import { finish } from '@gatehouse-access/core'
import { manyOr } from '@gatehouse-access/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  listDays,
  mergeDays,
  type SiteDay,
  type StoredDay,
  uniteDays,
  windowAt,
} from '../src/devices/policy/merged-days.ts'
import { daysOfSite } from '../src/devices/policy/special-days.ts'

const day = 86_400_000
const dateOf = (number: number) => new Date(number * day).toISOString().slice(0, 10)
const numberOf = (date: string) => Date.parse(date) / day
const first = numberOf('2022-01-01')
const last = numberOf('2034-12-31')

/** Often around 29 February, New Year and each other. */
const start = fc.oneof(
  fc.integer({ min: first, max: last }),
  fc.integer({ min: -3, max: 3 }).map(by => numberOf('2028-02-29') + by),
  fc.integer({ min: -3, max: 3 }).map(by => numberOf('2027-01-01') + by),
)
const storedDay: fc.Arbitrary<StoredDay> = fc
  .record({
    kind: fc.constantFrom('holiday', 'half_day'),
    from: start,
    length: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 365 })),
    recurrence: fc.constantFrom('none', 'yearly'),
  })
  .map(({ kind, from, length, recurrence }) => ({
    kind,
    starts_on: dateOf(from),
    ends_on: length === 0 ? null : dateOf(from + length),
    recurrence,
  }))

/** Whether a day covers a date, by the words of the specification. */
function covers({ starts_on, ends_on, recurrence }: Omit<StoredDay, 'kind'>, date: string): boolean {
  const end = ends_on ?? starts_on
  if (recurrence === 'none') return starts_on <= date && date <= end
  if (date < starts_on) return false
  if (numberOf(end) - numberOf(starts_on) >= 365) return true
  const [from, to, at] = [starts_on.slice(5), end.slice(5), date.slice(5)]
  return from <= to ? from <= at && at <= to : at >= from || at <= to
}

const sent = ({ kind, from, to, yearly }: SiteDay): StoredDay => ({
  kind,
  starts_on: from,
  ends_on: to,
  recurrence: yearly ? 'yearly' : 'none',
})

test('what is sent of the days of calendars covers the dates that they cover, and is merged and sorted', () => {
  const window = windowAt('2026-11-17T10:00:00.000000Z')
  const calendars = fc.array(fc.array(storedDay, { maxLength: 8 }), { maxLength: 4 })
  fc.assert(
    fc.property(calendars, all => {
      const merged = all.map(days => finish(mergeDays(days, window)))
      const listed = finish(listDays(finish(uniteDays(merged)), window))
      for (let number = numberOf(window.from); number <= numberOf(window.until); number++) {
        const date = dateOf(number)
        const kinds = (days: readonly StoredDay[]) =>
          ['half_day', 'holiday'].filter(kind => days.some(one => one.kind === kind && covers(one, date)))
        expect([date, ...kinds(listed.map(sent))]).toEqual([date, ...kinds(all.flat())])
      }
      expect(listed).toEqual(
        [...listed].sort((a, b) => (`${a.from} ${a.kind}` < `${b.from} ${b.kind}` ? -1 : 1)),
      )
      for (const { from, to } of listed)
        expect([dateOf(numberOf(from)), dateOf(numberOf(to))]).toEqual([from, to])
    }),
    { numRuns: manyOr(12) },
  )
})

test('the window begins two days ago or earlier in every zone, and ends five years ahead or later', () => {
  for (const [now, from, until] of [
    ['2026-11-17T10:00:00Z', '2026-11-01', '2031-12-31'],
    ['2026-12-03T23:59:59Z', '2026-11-01', '2031-12-31'],
    ['2026-12-04T00:00:00Z', '2026-12-01', '2032-01-31'],
    ['2027-01-02T00:00:00Z', '2026-12-01', '2032-01-31'],
    ['2026-12-31T00:00:00Z', '2026-12-01', '2032-01-31'],
  ] as const)
    expect(windowAt(now)).toEqual({ from, until })
})

test('days that do not fit are unknown, never open: also yearly ones, which have no horizon', () => {
  const window = windowAt('2026-11-17T10:00:00.000000Z')
  const many = Array.from({ length: 10_000 }, (_, index): SiteDay => {
    const date = dateOf(numberOf('2027-01-01') + Math.floor(index / 10))
    return { kind: `kind_${index}`, from: date, to: date }
  })
  const held = (days: readonly SiteDay[]): { days: SiteDay[]; days_until: string } =>
    JSON.parse(`{${finish(daysOfSite(days, window)).json}}`)
  const once = held(many)
  expect(once.days.length).toBeGreaterThan(5000)
  expect(many.filter(({ from }) => from <= once.days_until).length).toBeLessThanOrEqual(once.days.length)
  expect(once.days_until > '2027-12-31').toBe(true)
  const yearly = held(many.map(own => ({ ...own, yearly: true })))
  expect(yearly.days_until < window.from).toBe(true)
  expect(held(many.slice(0, 10)).days_until).toBe(window.until)
})
