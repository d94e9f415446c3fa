import Holidays from 'date-holidays'
import { expect, test } from 'vitest'
import regions from '../src/holidays/regions.json' with { type: 'json' }

test('the places that requests may name are those of the tables', () => {
  const tables = new Holidays()
  const inside = (country: string, state: string) =>
    Object.keys(tables.getRegions(country, state) ?? {}).map(region => `${state}-${region}`)
  const found = Object.keys(tables.getCountries()).map(country => [
    country,
    Object.keys(tables.getStates(country) ?? {}).flatMap(state => [state, ...inside(country, state)]),
  ])
  expect(regions).toEqual(Object.fromEntries(found))
})
