import { formatMoment } from '../parts/time.tsx'

export type Standing = 'active' | 'upcoming' | 'ended' | 'deleted'

interface Dated {
  readonly starts_at: string | null
  readonly ends_at: string | null
  readonly is_deleted: boolean
}

/** Returns what the member's dates mean at `now`. The start is inclusive, the end exclusive. */
export function standingOf({ starts_at, ends_at, is_deleted }: Dated, now = Date.now()): Standing {
  if (is_deleted) return 'deleted'
  if (starts_at && Date.parse(starts_at) > now) return 'upcoming'
  return ends_at && Date.parse(ends_at) <= now ? 'ended' : 'active'
}

/** Describes the dates that are set. Returns an empty string if there are none. */
export function datesOf({ starts_at, ends_at }: Omit<Dated, 'is_deleted'>): string {
  const from = starts_at ? `from ${formatMoment(starts_at)}` : ''
  const until = ends_at ? `until ${formatMoment(ends_at)}` : ''
  return [from, until].filter(Boolean).join(' ')
}
