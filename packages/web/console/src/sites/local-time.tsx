import { useNow } from '../parts/time.tsx'

/** Returns `Sun 14:05` in a zone, or undefined if this browser does not know the zone. */
export function clockIn(zone: string, now: number): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: zone,
    }).format(now)
  } catch {
    return undefined
  }
}

/** Shows the current local time of a zone, and its name. */
export function LocalTime({ zone }: { zone: string }) {
  const now = useNow(30_000)
  return (
    <>
      {clockIn(zone, now) ?? '–'} <span className="soft on-desktop">{zone.replaceAll('_', ' ')}</span>
    </>
  )
}
