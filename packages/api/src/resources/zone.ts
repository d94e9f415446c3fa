import { list, required, type Shape, shape } from '../kit/compounds.ts'
import { integer, text, timestamp, timezone } from '../kit/scalars.ts'

/** Seconds. No zone was ever further from UTC than a day. */
const offset = integer(-86_400, 86_400)

const change = shape({
  at: required(timestamp, 'When the clocks change.'),
  offset: required(offset, 'Seconds east of UTC from then on.'),
})

/** What a zone does over some years. */
export const zoneTableParts = {
  release: required(
    text(32),
    'The release of the time zone database that the table came with. Later releases that say the same leave it.',
  ),
  from: required(timestamp, 'Where the table begins: a year back at least.'),
  until: required(timestamp, 'Where it ends: at least five years ahead.'),
  offset: required(offset, 'Seconds east of UTC at `from`.'),
  changes: required(list(change, { max: 1000 }), 'All changes of the offset in order.'),
}
export const zoneTable = shape(zoneTableParts)

const siteZoneParts = {
  timezone: required(timezone, 'The time zone of the site.'),
  ...zoneTableParts,
}
/** The answer of `GET /sites/{site_id}/zone`. */
export const siteZone = shape(siteZoneParts)
export type SiteZone = Shape<typeof siteZoneParts>

export const clockChange = shape({
  at: required(timestamp, 'When the clocks change.'),
  offset_before: required(offset, 'Seconds east of UTC before.'),
  offset_after: required(offset, 'Seconds east of UTC after.'),
})
