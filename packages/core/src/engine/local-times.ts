import type { ZoneTable } from '../zone-table.ts'
import { day, fromMicroseconds, toMicroseconds } from './microseconds.ts'
import { createZone, stretchAt, type Zone } from './zones.ts'

/** When a wall clock shows a local time: never if it is skipped, twice if clocks are set back over it. */
export type LocalMoments = readonly [] | readonly [string] | readonly [first: string, second: string]

/** Returns the function that finds the moments of local times in a zone. */
export function openZone(name: string, table: ZoneTable | null): (local: string) => LocalMoments {
  const zone = createZone(name, table)
  return local => momentsOf(zone, toMicroseconds(`${local}.000000Z`))
}

/** No zone is a day away from UTC, and none changes twice within two days. */
function momentsOf(zone: Zone, local: number): LocalMoments {
  const offsets = new Set([stretchAt(zone, local - day).offset, stretchAt(zone, local + day).offset])
  const moments = [...offsets]
    .filter(offset => stretchAt(zone, local - offset).offset === offset)
    .map(offset => local - offset)
    .sort((a, b) => a - b)
    .map(fromMicroseconds)
  return moments as unknown as LocalMoments
}
