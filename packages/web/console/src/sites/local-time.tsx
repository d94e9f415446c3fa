import { useNow } from '../parts/time.tsx'

/** `Sun 14:05` in a zone; undefined where this browser does not know the zone. */
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

/** What the clocks show in a zone now, and its name. */
export function LocalTime({ zone }: { zone: string }) {
  const now = useNow(30_000)
  return (
    <>
      {clockIn(zone, now) ?? '–'} <span className="soft on-desktop">{zone.replaceAll('_', ' ')}</span>
    </>
  )
}
