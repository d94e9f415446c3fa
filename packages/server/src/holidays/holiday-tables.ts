import Holidays from 'date-holidays'
import type { TabledDay, TablePlace } from './holidays.ts'
import { regionsOf } from './places.ts'

// A program of its own: its argument is the question, and it prints the answer. See `askTables`.
const asked: TablePlace = JSON.parse(process.argv[2] ?? '')
process.stdout.write(JSON.stringify(daysOf(asked)))

function daysOf({ country, region, kinds, years }: TablePlace): TabledDay[] {
  // A few regions are written in lower case.
  const named = regionsOf(country)?.find(name => name.toUpperCase() === region) ?? region
  const [state, ...rest] = named?.split('-') ?? []
  const table = new Holidays(country, state ?? '', rest.join('-'))
  return years.flatMap(year =>
    table
      .getHolidays(year)
      .filter(({ type }) => kinds.some(kind => kind === type))
      .map(({ date, start, end, name, rule }) => ({
        year,
        date: date.slice(0, 10),
        // Hours that are lost or won by a change of clocks do not make a day shorter.
        days: Math.floor((end.getTime() - start.getTime()) / 3_600_000 / 24 + 1 / 12),
        name,
        rule: String(rule),
      })),
  )
}
