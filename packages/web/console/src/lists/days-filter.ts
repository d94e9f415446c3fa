import type { SiteZone } from '@gatehouse-access/api'
import { t } from '../language/t.ts'
import { addDays } from '../parts/dates.ts'
import { dayAt } from '../parts/door-time.ts'
import { browserZone } from '../parts/format-time.ts'
import { instantAt, localDate } from '../parts/local-clock.ts'

/** Spans of days that a list is often asked for. `when` in the address, so that a saved view means today's today. */
export const spans = {
  today: t('Today'),
  yesterday: t('Yesterday'),
  week: t('Last 7 days'),
  month: t('Last 30 days'),
} as const
export type Span = keyof typeof spans

/** The spans as options, under the zone whose days they are. */
export const spanChoices = [
  {
    group: `Days in ${browserZone.replaceAll('_', ' ')}`,
    items: Object.entries(spans).map(([value, label]) => ({ value, label })),
  },
]

const daysBack: Record<Span, readonly [number, number]> = {
  today: [0, -1],
  yesterday: [1, 0],
  week: [6, -1],
  month: [29, -1],
}

/** Returns the local midnights between which a span lies: by the clock of the browser, or of a site. */
export function spanOf(span: Span, now: number, zone?: SiteZone): readonly [string, string] {
  const [from, until] = daysBack[span]
  return [midnight(now, -from, zone), midnight(now, -until, zone)]
}

/** Returns `17 Nov 2026, days in Europe/Madrid`: what a span means now. */
export function spanWords(when: string | undefined, now = Date.now()): string | undefined {
  if (!when || !(when in spans)) return undefined
  return periodWords(...spanOf(when as Span, now))
}

/** Returns `9 Nov 2026 – 15 Nov 2026, days in Europe/Madrid`. */
export function periodWords(from: string, until: string, zone?: SiteZone): string {
  const last = new Date(Date.parse(until) - 1).toISOString()
  const days = [...new Set([dayAt(from, zone), dayAt(last, zone)])].join(' – ')
  return t(`${days}, days in ${(zone?.timezone ?? browserZone).replaceAll('_', ' ')}`)
}

/** By the calendar: a day has 23 hours when the clocks go forward. */
export function midnight(now: number, days: number, zone?: SiteZone): string {
  if (zone) return new Date(instantAt(zone, `${addDays(localDate(zone, now), days)}T00:00`)).toISOString()
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).toISOString()
}

/** Replaces `when` by comparisons of a field. */
export function resolveSpan(
  filters: Readonly<Record<string, string>>,
  field: string,
  now = Date.now(),
): Readonly<Record<string, string>> {
  const { when, ...rest } = filters
  if (!when || !(when in spans)) return rest
  const [from, until] = spanOf(when as Span, now)
  return { ...rest, [`${field}:ge`]: from, [`${field}:lt`]: until }
}
