import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { useList } from '../data/use-list.ts'
import { Section } from '../parts/page.tsx'
import { browserZone } from '../parts/time.tsx'
import { ZonePick } from '../sites/zone-pick.tsx'
import {
  type ClockChange as Change,
  clock,
  nextClockChange,
  type PreviewDay,
  previewDays,
} from './next-change.ts'
import type { Weekday } from './slots.ts'

/**
 * Shows what the schedule does at the next clock change of a zone, computed by the same code that opens the
 * doors.
 */
export function ClockChange({ weekdays }: { weekdays: readonly Weekday[] }) {
  const [params, setParams] = useSearchParams()
  const { items } = useList('sites', { limit: 1 })
  const zone = params.get('zone') ?? items[0]?.timezone ?? browserZone
  const change = useMemo(() => findChange(zone), [zone])
  return (
    <Section title="Next clock change" about="How doors handle times that are skipped or repeated">
      <div className="schedules-zone">
        <ZonePick
          label="Time zone"
          description=""
          value={zone}
          onChange={value => setParams({ zone: value }, { replace: true })}
        />
      </div>
      {change ? (
        <Preview zone={zone} change={change} weekdays={weekdays} />
      ) : (
        <Text size="sm">The clocks there do not change within a year, so every week is the same.</Text>
      )}
    </Section>
  )
}

/** Returns undefined if there is no change, or if this browser does not know the zone. */
function findChange(zone: string): Change | undefined {
  try {
    return nextClockChange(zone, Temporal.Now.instant())
  } catch {
    return undefined
  }
}

interface PreviewProps {
  readonly zone: string
  readonly change: Change
  readonly weekdays: readonly Weekday[]
}

function Preview({ zone, change, weekdays }: PreviewProps) {
  const days = previewDays(weekdays, zone, change)
  return (
    <>
      <Text size="sm">
        On {change.at.toZonedDateTimeISO(zone).toPlainDate().toLocaleString('en-GB', { dateStyle: 'full' })}{' '}
        at {change.wall_before} the clocks go {change.minutes > 0 ? 'forward' : 'back'} to {change.wall_after}
        .
      </Text>
      <ul className="schedules-preview">
        {days.map(day => (
          <Day key={day.date.toString()} day={day} />
        ))}
      </ul>
    </>
  )
}

function Day({ day }: { day: PreviewDay }) {
  const { date, openings, planned_minutes, actual_minutes } = day
  return (
    <li>
      <span className="schedules-date">
        {date.toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })}
      </span>
      <span>
        {openings.length === 0 && <span className="soft">closed</span>}
        {openings.map(({ from, until }) => (
          <span key={from.toString()} className="schedules-opening">
            {clock(from.toPlainTime())} to {endClock(until, date)}{' '}
            <span className="soft">
              {from.offset === until.offset ? from.offset : `${from.offset} to ${until.offset}`}
            </span>
          </span>
        ))}
        {planned_minutes !== actual_minutes && (
          <strong className="schedules-odd">
            open {hours(actual_minutes)} instead of {hours(planned_minutes)}
          </strong>
        )}
      </span>
    </li>
  )
}

/** Midnight at the end of a day is written as 24:00. */
function endClock(until: Temporal.ZonedDateTime, date: Temporal.PlainDate): string {
  return until.toPlainDate().equals(date) ? clock(until.toPlainTime()) : '24:00'
}

function hours(minutes: number): string {
  const [full, rest] = [Math.floor(minutes / 60), Math.round(minutes % 60)]
  if (rest === 0) return `${full} h`
  return full === 0 ? `${rest} min` : `${full} h ${rest} min`
}
