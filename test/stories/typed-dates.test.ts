import { describe, expect, test } from 'vitest'
import { readClock, readDate, readMoment } from '../../packages/web/console/src/form/read-date.ts'

describe.each(['en-GB', 'es', 'de', 'fr'])('in %s', locale => {
  test('what the console shows can be typed, on every day of a leap year', () => {
    const styles: Intl.DateTimeFormatOptions[] = [
      { day: 'numeric', month: 'short', year: 'numeric' },
      { day: 'numeric', month: 'long', year: 'numeric' },
      { dateStyle: 'medium' },
      { dateStyle: 'short' },
    ]
    for (let day = 0; day < 366; day++) {
      const at = Date.UTC(2028, 0, 1 + day, 21, 5)
      const date = new Date(at).toISOString().slice(0, 10)
      for (const style of styles) {
        const text = new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }).format(at)
        expect([text, readDate(text, locale)]).toEqual([text, date])
      }
      const moment = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
      const text = new Intl.DateTimeFormat(locale, moment).format(at)
      expect([text, readMoment(text, locale)]).toEqual([text, `${date}T21:05`])
    }
  })
})

test.each([
  ['2026-11-14', '2026-11-14'],
  ['14.11.2026', '2026-11-14'],
  ['14/11/26', '2026-11-14'],
  [' 1 december 2026 ', '2026-12-01'],
  ['1 sep, 2026', '2026-09-01'],
  ['30 Feb 2026', undefined],
  ['29.2.2027', undefined],
  ['14.13.2026', undefined],
  ['1 ju 2026', undefined],
  ['14 Nov', undefined],
  ['tomorrow', undefined],
])('the date %j is %j', (text, date) => {
  expect(readDate(text)).toBe(date)
})

test.each([
  ['9:30', '09:30'],
  ['21.05', '21:05'],
  ['9h30', '09:30'],
  ['9:30 pm', '21:30'],
  ['12:10 AM', '00:10'],
  ['24:00', undefined],
  ['13:00 pm', undefined],
  ['9:60', undefined],
  ['930', undefined],
])('the time %j is %j', (text, clock) => {
  expect(readClock(text)).toBe(clock)
})

test.each([
  ['2026-11-14T09:30', '2026-11-14T09:30'],
  ['14 Nov 2026 9:30', '2026-11-14T09:30'],
  ['14.11.26, 9:30 pm', '2026-11-14T21:30'],
  ['14 Nov 2026', undefined],
  ['9:30', undefined],
])('the moment %j is %j', (text, moment) => {
  expect(readMoment(text)).toBe(moment)
})

test('a name that several months begin with is no month', () => {
  expect(readDate('1 jui 2026', 'fr')).toBeUndefined()
  expect(readDate('1 juil 2026', 'fr')).toBe('2026-07-01')
})
