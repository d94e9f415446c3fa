import type { SiteZone } from '@gatehouse-access/api'
import { t } from '../language/t.ts'
import { momentAt } from '../parts/door-time.ts'
import { isSuspended, type Suspension } from '../suspensions/suspension.ts'

export const afterTheEnd = t(
  'A day after the end the member is deleted, but keeps its history and can be restored.',
)

export type Standing = 'active' | 'upcoming' | 'ended' | 'suspended' | 'deleted'

interface Dated {
  readonly starts_at: string | null
  readonly ends_at: string | null
}

interface Standable extends Dated, Suspension {
  readonly is_deleted: boolean
}

/** Returns what the member's dates mean at `now`. The start is inclusive, the end exclusive. */
export function standingOf(member: Standable, now = Date.now()): Standing {
  const { starts_at, ends_at } = member
  if (member.is_deleted) return 'deleted'
  if (starts_at && Date.parse(starts_at) > now) return 'upcoming'
  if (ends_at && Date.parse(ends_at) <= now) return 'ended'
  return isSuspended(member, now) ? 'suspended' : 'active'
}

/** Describes the dates that are set. Returns an empty string if there are none. */
export function datesOf({ starts_at, ends_at }: Dated, zone?: SiteZone): string {
  const from = starts_at ? t(`from ${momentAt(starts_at, zone)}`) : ''
  const until = ends_at ? t(`until ${momentAt(ends_at, zone)}`) : ''
  return [from, until].filter(Boolean).join(' ')
}
