import places from './regions.json' with { type: 'json' }

/** Known beforehand: whoever names a country in a request must not wait for a program that loads the tables. */
const regions: Readonly<Record<string, readonly string[]>> = places

/** Returns the regions of a country that has a table. Regions of regions are written with a dash. */
export function regionsOf(country: string): readonly string[] | undefined {
  return Object.hasOwn(regions, country) ? regions[country] : undefined
}
