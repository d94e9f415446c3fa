import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

interface Place {
  readonly name?: string
  readonly names?: Readonly<Record<string, string>>
  readonly states?: Readonly<Record<string, Place>>
  readonly regions?: Readonly<Record<string, Place>>
}

interface Tables {
  readonly holidays: Readonly<Record<string, Place>>
}

/**
 * Fills `holiday-places.ts` with the countries and regions of the tables that the service reads holidays from.
 * The console carries only their names, and loads them when somebody chooses a country.
 */
export function listHolidayPlaces(): Plugin {
  return {
    name: 'gatehouse-list-holiday-places',
    enforce: 'pre',
    transform: {
      filter: { id: /\/calendars\/holiday-places\.ts$/ },
      handler: () => `export const places = ${JSON.stringify(findPlaces())}`,
    },
  }
}

function findPlaces(): Record<string, Record<string, string>> {
  const { holidays } = createRequire(import.meta.url)('date-holidays/data').data as Tables
  return Object.fromEntries(
    Object.entries(holidays).map(([code, { states = {} }]) => [
      code,
      Object.fromEntries(
        Object.entries(states)
          .flatMap(([state, place]) => [[state, nameOf(place, state)] as const, ...insideOf(state, place)])
          .sort(([, one], [, other]) => one.localeCompare(other)),
      ),
    ]),
  )
}

function insideOf(state: string, { regions = {}, ...place }: Place): (readonly [string, string])[] {
  return Object.entries(regions).map(([region, inside]) => [
    `${state}-${region}`,
    `${nameOf(place, state)}: ${nameOf(inside, region)}`,
  ])
}

function nameOf({ name, names = {} }: Place, code: string): string {
  return name ?? names.en ?? Object.values(names)[0] ?? code
}
