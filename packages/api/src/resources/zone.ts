import type { ZoneTable } from '@gatehouse-access/core'
import { list, required, shape } from '../kit/compounds.ts'
import type { Action } from '../kit/resource.ts'
import { integer, text, timestamp, timezone } from '../kit/scalars.ts'
import type { Type } from '../kit/type.ts'

/** Seconds. No zone was ever further from UTC than a day. */
const offset = integer(-86_400, 86_400)

const change = shape({
  at: required(timestamp, 'When the clocks change.'),
  offset: required(offset, 'Seconds east of UTC from then on.'),
})

/** What a zone does over some years. */
const zoneTableParts = {
  release: required(
    text(32),
    'The release of the time zone database that the table came with. Later releases that say the same leave it.',
  ),
  from: required(timestamp, 'Where the table begins: a year back at least.'),
  until: required(timestamp, 'Where it ends: at least five years ahead.'),
  offset: required(offset, 'Seconds east of UTC at `from`.'),
  changes: required(list(change, { max: 1000 }), 'All changes of the offset in order.'),
}
export const zoneTable: Type<ZoneTable> = shape(zoneTableParts)

/** The answer of `GET /sites/{site_id}/zone`. */
export interface SiteZone extends ZoneTable {
  timezone: string
}
const siteZone: Type<SiteZone> = shape({
  timezone: required(timezone, 'The time zone of the site.'),
  ...zoneTableParts,
})

export const zoneOfSite = {
  method: 'GET',
  does: 'query',
  path: '/zone',
  about:
    'The offsets of its time zone over some years, as the service decides by them. Show times of the site by this table: the zone data of a browser or phone may be older.',
  scope: 'read',
  answer: siteZone,
} as const satisfies Action

export const clockChange = shape({
  at: required(timestamp, 'When the clocks change.'),
  offset_before: required(offset, 'Seconds east of UTC before.'),
  offset_after: required(offset, 'Seconds east of UTC after.'),
})
