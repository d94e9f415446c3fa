import { expect, test } from 'vitest'
import { openZone } from '../src/engine/local-times.ts'

test('a local time is one moment, none if clocks skip it, two if they are set back over it', () => {
  const madrid = openZone('Europe/Madrid', null)
  expect(madrid('2026-12-01T15:00:00')).toEqual(['2026-12-01T14:00:00.000000Z'])
  expect(madrid('2026-03-29T02:30:00')).toEqual([])
  expect(madrid('2026-03-29T03:00:00')).toEqual(['2026-03-29T01:00:00.000000Z'])
  expect(madrid('2026-10-25T02:30:00')).toEqual([
    '2026-10-25T00:30:00.000000Z',
    '2026-10-25T01:30:00.000000Z',
  ])
  expect(openZone('Pacific/Kiritimati', null)('2026-01-01T00:00:00')).toEqual(['2025-12-31T10:00:00.000000Z'])
})

/** Around changes of clocks, by an hour and by half of one, and around a day that a country left out. */
const changes = [
  ['America/New_York', '2011-03-13'],
  ['America/New_York', '2011-11-06'],
  ['Australia/Lord_Howe', '2011-04-03'],
  ['Australia/Lord_Howe', '2011-10-02'],
  ['Pacific/Apia', '2011-12-30'],
] as const

test('every quarter of an hour around changes is what Temporal says', () => {
  const wrong: string[] = []
  for (const [name, date] of changes) {
    const ask = openZone(name, null)
    const noon = Temporal.PlainDateTime.from(`${date}T12:00`)
    for (let minutes = -24 * 60; minutes < 24 * 60; minutes += 15) {
      const local = noon.add({ minutes })
      const ways = (['earlier', 'later'] as const).map(disambiguation =>
        local.toZonedDateTime(name, { disambiguation }),
      )
      const moments = ways.map(way => way.toInstant().toString({ fractionalSecondDigits: 6 }))
      const expected = ways[0]?.toPlainDateTime().equals(local) ? [...new Set(moments)] : []
      const found = ask(local.toString({ smallestUnit: 'second' }))
      if (found.join() !== expected.join()) wrong.push(`${name} ${local}: ${found}, not ${expected}`)
    }
  }
  expect(wrong).toEqual([])
})
