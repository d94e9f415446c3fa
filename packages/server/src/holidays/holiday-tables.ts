import Holidays from 'date-holidays'
import type { TableAnswer, TabledDay, TablePlace, TableQuestion } from './holidays.ts'

// A program of its own: its argument is the question, and it prints the answer. See `askTables`.
const asked: TableQuestion = JSON.parse(process.argv[2] ?? '{}')
process.stdout.write(JSON.stringify(answer(asked)))

function answer({ place }: TableQuestion): TableAnswer {
  const tables = new Holidays()
  const codes = Object.keys(tables.getCountries())
  const regions = Object.fromEntries(codes.map(country => [country, regionsOf(tables, country)]))
  return { regions, days: place ? daysOf(place, regions[place.country] ?? []) : [] }
}

/** Regions of regions are written with a dash. */
function regionsOf(tables: Holidays, country: string): string[] {
  return Object.keys(tables.getStates(country) ?? {}).flatMap(state => [
    state,
    ...Object.keys(tables.getRegions(country, state) ?? {}).map(region => `${state}-${region}`),
  ])
}

function daysOf({ country, region, kinds, years }: TablePlace, regions: readonly string[]): TabledDay[] {
  // A few regions are written in lower case.
  const named = regions.find(name => name.toUpperCase() === region) ?? region
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
