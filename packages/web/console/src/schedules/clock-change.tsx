import type { ZoneTable } from '@gatehouse-access/core'
import { Text } from '@mantine/core'
import { memo, useDeferredValue, useMemo } from 'react'
import { t } from '../language/t.ts'
import { capital } from '../parts/capital.ts'
import { formatDate } from '../parts/dates.ts'
import { Section } from '../parts/page.tsx'
import { daysAround, minutesOf, nextClockChange, openingsOf } from './next-change.ts'
import type { PreviewDay } from './schedule.ts'
import { type AtSite, useSiteYear } from './use-site-year.ts'

/** Shows what the schedule does at the next clock change of the site, after the year has been drawn. */
export function ClockChange({ at }: { at: AtSite }) {
  const days = useDeferredValue(useSiteYear(at).days)
  return days && at.zone && <Change days={days} zone={at.zone} />
}

interface ChangeProps {
  readonly days: readonly PreviewDay[]
  readonly zone: ZoneTable & { readonly timezone: string }
}

const Change = memo(function Change({ days, zone }: ChangeProps) {
  const change = useMemo(() => nextClockChange(zone, Date.now()), [zone])
  return (
    <Section
      title="Next clock change"
      about={`How doors handle times that are skipped or repeated, in ${zone.timezone.replaceAll('_', ' ')}`}
    >
      {change ? (
        <>
          <Text size="sm">
            On {formatDate(change.date, 'long')} at {change.wall_before} the clocks go{' '}
            {change.is_forward ? 'forward' : 'back'} to {change.wall_after}.
          </Text>
          <ul className="schedules-preview">
            {daysAround(days, change).map(day => (
              <Day key={day.date} day={day} zone={zone} />
            ))}
          </ul>
        </>
      ) : (
        <Text size="sm">The clocks there do not change within a year, so every week is the same.</Text>
      )}
    </Section>
  )
})

function Day({ day, zone }: { day: PreviewDay; zone: ZoneTable }) {
  const openings = openingsOf(day, zone)
  const { planned, actual } = minutesOf(day)
  return (
    <li>
      <span className="schedules-date">{formatDate(day.date, 'short')}</span>
      <span>
        {openings.length === 0 && <span className="soft">{capital(t('closed'))}</span>}
        {openings.map(({ from, until, offset }) => (
          <span key={`${from} ${offset}`} className="schedules-opening">
            {from} to {until} <span className="soft">{offset}</span>
          </span>
        ))}
        {planned !== actual && (
          <strong className="schedules-odd">
            open {hours(actual)} instead of {hours(planned)}
          </strong>
        )}
      </span>
    </li>
  )
}

function hours(minutes: number): string {
  const [full, rest] = [Math.floor(minutes / 60), Math.round(minutes % 60)]
  if (rest === 0) return t(`${full} hr`)
  return full === 0 ? t(`${rest} min`) : t(`${full} hr ${rest} min`)
}
