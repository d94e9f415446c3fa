import { zoneWords } from '../parts/door-time.ts'
import { haveSameClock } from '../parts/format-time.ts'
import { browserZone, formatMoment } from '../parts/time.tsx'
import { useSiteZones } from './use-site-zones.ts'

/** Returns the zone of the browser where a site has another clock: then times of no site, which are by the browser's, name it. */
export function useOwnZone(): string | undefined {
  const { data: sites } = useSiteZones()
  const zones = new Set(sites?.data.map(({ timezone }) => timezone))
  return [...zones].some(zone => !haveSameClock(zone)) ? browserZone : undefined
}

/** Names the zone beside a time of no site. */
export function ownWords(time: string, zone: string | undefined): string {
  return zone ? `${time} (${zoneWords(zone)})` : time
}

interface OwnTimeProps {
  readonly at: string
  /** `formatExact` for what happened. */
  readonly format?: (at: string) => string
}

/** A time of no site. */
export function OwnTime({ at, format = formatMoment }: OwnTimeProps) {
  const zone = useOwnZone()
  return <time dateTime={at}>{ownWords(format(at), zone)}</time>
}
