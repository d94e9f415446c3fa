import { useQuery } from '@tanstack/react-query'
import { locale } from '../language/languages.ts'
import { useApi } from '../session/use-api.ts'

/** A time zone by the data of the service: its offset in seconds east of UTC, and what comes next. */
export interface KnownZone {
  readonly name: string
  readonly offset: number
  readonly next: { readonly at: string; readonly offset: number } | null
}

/** Loads the zones that the service knows, by name. The browser may know others, or know them differently. */
export function useZones() {
  const { account } = useApi()
  return useQuery({
    queryKey: ['account', 'zones'],
    queryFn: () => account<{ data: readonly KnownZone[] }>('GET', '/zones'),
    select: toMap,
    staleTime: 600_000,
  })
}

function toMap({ data }: { data: readonly KnownZone[] }): ReadonlyMap<string, KnownZone> {
  return new Map(data.map(zone => [zone.name, zone]))
}

/** Returns `Sun 14:05`. */
export function clockOf({ offset, next }: KnownZone, now: number): string {
  const current = next && now >= Date.parse(next.at) ? next.offset : offset
  return weekdayClock(new Date(now + current * 1000))
}

const format = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** Of a local time that is written as if it were UTC. */
export function weekdayClock(local: Date): string {
  return format.format(local)
}
