import type { ItemOf } from '../data/collections.ts'
import { localTime } from '../parts/local-clock.ts'
import { useNow } from '../parts/time.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { clockOf, useZones, weekdayClock } from './use-zones.ts'

/** Shows the current local time of a site by the data of the service, and the name of its zone. */
export function LocalTime({ site }: { site: ItemOf<'sites'> }) {
  const now = useNow(30_000)
  const { data: zones } = useZones()
  const known = zones?.get(site.timezone)
  // An old name of a zone, or one that the service no longer knows: its doors go on by the last table.
  const { data: table } = useZone(zones && !known ? site.id : undefined)
  const time = known ? clockOf(known, now) : table && weekdayClock(localTime(table, now))
  return (
    <>
      {time ?? '–'} <span className="soft on-desktop">{site.timezone.replaceAll('_', ' ')}</span>
    </>
  )
}
