import type { SiteDays } from '@gatehouse-access/api'
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { kindWords } from '../calendars/kind-words.ts'
import { locale } from '../language/languages.ts'
import { addDays, daysBetween, formatDate } from '../parts/dates.ts'
import { localDate } from '../parts/local-clock.ts'
import { NameLink } from '../parts/name.tsx'
import { useNow } from '../parts/time.tsx'
import { useSiteDays, useZone } from '../schedules/use-site-days.ts'

type Day = SiteDays['data'][number]

/** Loads the special days of the next twelve months. */
export function useComingDays(site_id: string) {
  const { data: zone } = useZone(site_id)
  const now = useNow(60_000)
  const today = zone && localDate(zone, now)
  const period = useMemo(() => (today ? { from: today, to: addDays(today, 365) } : undefined), [today])
  const { data } = useSiteDays(site_id, period)
  return { days: data?.data, today }
}

const few = 6

/** Lists the special days to come, each with its calendar. */
export function ComingDays({ days, today }: { days: readonly Day[]; today: string }) {
  const [is_all, setAll] = useState(false)
  const stretches = useMemo(() => toStretches(days), [days])
  const shown = is_all ? stretches : stretches.slice(0, few)
  if (days.length === 0)
    return <p className="section-note soft">No special days in the next twelve months.</p>
  return (
    <div className="sites-coming">
      <ul aria-label="Special days to come">
        {shown.map(({ from, to, days }) => (
          <li key={from}>
            <span className="sites-date">
              {formatDate(from, 'medium')}
              {to !== from && ` to ${formatDate(to, 'medium')}`}
              <span className="soft on-desktop"> {inDays(daysBetween(today, from))}</span>
            </span>
            <span>
              {days.map(({ calendar_day_id, calendar_id, name, kind }) => (
                <span key={calendar_day_id} className="sites-why">
                  <NameLink href={`/calendars/${calendar_id}`}>{name ?? kindWords(kind)}</NameLink>{' '}
                  <span className="soft">{kindWords(kind)}</span>
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {stretches.length > few && (
        <Button size="compact-sm" variant="subtle" onClick={() => setAll(!is_all)}>
          {is_all ? 'Show fewer' : `Show all ${stretches.length} in the next twelve months`}
        </Button>
      )}
    </div>
  )
}

interface Stretch {
  readonly from: string
  readonly to: string
  readonly days: Day['days']
}

/** Joins dates that follow each other and are special for the same reasons. */
function toStretches(days: readonly Day[]): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const { date, days: own } of days) {
    const last = stretches.at(-1)
    if (last && addDays(last.to, 1) === date && idsOf(last.days) === idsOf(own))
      stretches[stretches.length - 1] = { ...last, to: date }
    else stretches.push({ from: date, to: date, days: own })
  }
  return stretches
}

function idsOf(days: Day['days']): string {
  return days.map(({ calendar_day_id }) => calendar_day_id).join()
}

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

function inDays(days: number): string {
  return days < 60 ? relative.format(days, 'day') : relative.format(Math.round(days / 30.4), 'month')
}
