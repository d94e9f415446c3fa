import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useList } from '../data/use-list.ts'
import { Section } from '../parts/page.tsx'
import { nextClockChange, openingsAround } from './next-change.ts'
import type { Weekday } from './slots.ts'

/** What the schedule does when the clocks change next, for the zones of the sites. */
export function ClockChange({ weekdays }: { weekdays: readonly Weekday[] }) {
  const { items } = useList('sites', { limit: 100 })
  const zones = [...new Set(items.map(({ timezone }) => timezone))].sort().slice(0, 6)
  return (
    <Section title="Over the next clock change" about="In the time zones of your sites">
      {zones.length === 0 && (
        <Text size="sm" c="dimmed">
          There are no sites yet.
        </Text>
      )}
      <div className="schedules-zones">
        {zones.map(zone => (
          <Zone key={zone} zone={zone} weekdays={weekdays} />
        ))}
      </div>
    </Section>
  )
}

function Zone({ zone, weekdays }: { zone: string; weekdays: readonly Weekday[] }) {
  const change = useMemo(() => nextClockChange(zone, Temporal.Now.instant()), [zone])
  const name = zone.replaceAll('_', ' ')
  if (!change)
    return (
      <Text size="sm">
        <strong>{name}</strong> does not change its clocks.
      </Text>
    )
  const openings = openingsAround(weekdays, change)
  return (
    <div>
      <Text size="sm">
        <strong>{name}</strong>: the clocks change on{' '}
        {change.toPlainDate().toLocaleString('en-GB', { dateStyle: 'medium' })}
      </Text>
      <ul className="schedules-openings">
        {openings.map(({ from, to }) => (
          <li key={from}>
            {words(from)} to {words(to)} <span className="soft">({hoursBetween(from, to)})</span>
          </li>
        ))}
        {openings.length === 0 && <li className="soft">closed on the days around it</li>}
      </ul>
    </div>
  )
}

/** `Sun 29 Mar, 08:00 (+02:00)` */
function words(moment: string): string {
  const at = Temporal.ZonedDateTime.from(moment)
  const day = at.toPlainDate().toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
  return `${day}, ${at.toPlainTime().toString({ smallestUnit: 'minute' })} (${at.offset})`
}

function hoursBetween(from: string, to: string): string {
  const hours = Temporal.ZonedDateTime.from(from).until(Temporal.ZonedDateTime.from(to), {
    largestUnit: 'hour',
  })
  return hours.minutes === 0 ? `${hours.hours} h` : `${hours.hours} h ${hours.minutes} min`
}
