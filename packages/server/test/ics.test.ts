import { finish } from '@gatehouse-access/core'
import { expect, test } from 'vitest'
import { readDays } from '../src/ics/read-days.ts'

const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\n')
const calendar = (...parts: string[]) => ['BEGIN:VCALENDAR', ...parts, 'END:VCALENDAR', ''].join('\n')
const read = (text: string) => finish(readDays(text, 5000))
const long = 'x'.repeat(2 * 1024 * 1024)

test('what nobody reads may be as long as it likes, in one line or folded', () => {
  const folded = `ATTACH;X="${long}":1\n${' y\n'.repeat(100_000)}X-LAST:1`
  const { days } = read(calendar(event('DTSTART:20261225', `DESCRIPTION:${long}`, folded)))
  expect(days).toMatchObject([{ starts_on: '2026-12-25' }])
})

test.each([`UID:${long}`, `DTSTART;X="${long}":20261225`, `RRULE:FREQ=YEARLY;${';A=1'.repeat(100_000)}`])(
  'what must be read, and is far too long, makes the file unreadable',
  line => {
    expect(() => read(calendar(event('DTSTART:20261225', line)))).toThrow('longer than')
  },
)

test('an event with thousands of dates left out is not guessed', () => {
  const out = Array.from({ length: 1500 }, () => 'EXDATE:20280101')
  const { days, skipped } = read(calendar(event('DTSTART:20270101', 'RRULE:FREQ=YEARLY;COUNT=3', ...out)))
  expect(days).toEqual([])
  expect(skipped).toMatchObject([{ reason: expect.stringContaining('too many dates') }])
})
