import { expect, test } from 'vitest'
import { lastWeek, nextReport } from '../src/services/reports/weeks.ts'

/** Madrid in 2026: summer time from 29 March to 25 October, both Sundays at 01:00 UTC. */
const offsetAt = (_zone: string, at: string) =>
  at >= '2026-03-29T01:00:00' && at < '2026-10-25T01:00:00' ? 7200 : 3600
const week = (now: string) => lastWeek(now, 'Europe/Madrid', offsetAt)
const next = (now: string) => nextReport(now, 'Europe/Madrid', offsetAt)

test.each([
  // Sunday 23:59:59 and Monday 00:00 local.
  ['2026-11-15T22:59:59.000000Z', '2026-11-01T23:00', '2026-11-08T23:00'],
  ['2026-11-15T23:00:00.000000Z', '2026-11-08T23:00', '2026-11-15T23:00'],
  // The week in which summer time began has 167 hours, the one in which it ended 169.
  ['2026-03-30T06:00:00.000000Z', '2026-03-22T23:00', '2026-03-29T22:00'],
  ['2026-10-26T06:00:00.000000Z', '2026-10-18T22:00', '2026-10-25T23:00'],
])('the week before %s is from %s until %s', (now, from, until) => {
  const found = week(now)
  expect([found.from.slice(0, 16), found.until.slice(0, 16)]).toEqual([from, until])
})

test.each([
  ['2026-11-16T05:59:59.000000Z', '2026-11-16T06:00'],
  ['2026-11-16T06:00:00.000000Z', '2026-11-23T06:00'],
  ['2026-11-22T22:59:59.000000Z', '2026-11-23T06:00'],
  ['2026-03-28T12:00:00.000000Z', '2026-03-30T05:00'],
  ['2026-10-24T12:00:00.000000Z', '2026-10-26T06:00'],
])('after %s, the next report is due at %s', (now, due) => {
  expect(next(now).slice(0, 16)).toBe(due)
})
