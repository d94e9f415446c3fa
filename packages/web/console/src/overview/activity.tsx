import { Skeleton, Text } from '@mantine/core'
import { t } from '../language/t.ts'
import { type Bar, BarPlot, countWords, hourName, plotHeight } from '../parts/bar-plot.tsx'
import { zoneWords } from '../parts/door-time.ts'
import { Failure } from '../parts/failure.tsx'
import { Section } from '../parts/page.tsx'
import { formatMoment, useNow } from '../parts/time.tsx'
import { ownWords, useOwnZone } from '../sites/own-time.tsx'
import { type Day, hour } from './last-day.ts'

/** Shows how often doors were used, by hour. */
export function Activity({ day }: { day: Day }) {
  const now = useNow(60_000)
  const bars = countHours(day, now)
  const is_partial = day.since > now - 24 * hour + 60_000
  const since = is_partial
    ? t(`Since ${formatMoment(new Date(day.since).toISOString())}`)
    : t('Last 24 hours')
  const zone = useOwnZone()
  if (day.error)
    return (
      <Section title="Activity" flush>
        <Failure error={day.error} retry={day.refetch} />
      </Section>
    )
  return (
    <Section
      title="Activity"
      about={[since, ...(zone ? [zoneWords(zone)] : [])].join(' · ')}
      actions={
        <Text size="sm" c="dimmed" component="span" role="status">
          {!day.is_loading && countWords(bars)}
        </Text>
      }
    >
      {day.is_loading ? (
        <Skeleton height={plotHeight} />
      ) : (
        <BarPlot
          label="Activity by hour"
          bars={bars}
          nameOf={start => ownWords(hourName(start), zone)}
          ticks={[
            ...bars.filter((_, index) => index % 6 === 0).map(({ start }) => hourName(start)),
            t('now'),
          ]}
        />
      )}
    </Section>
  )
}

/** Returns 24 bars. The last one is the current hour. */
function countHours({ happenings }: Day, now: number): Bar[] {
  const end = Math.floor(now / hour) * hour
  const bars = Array.from({ length: 24 }, (_, index) => ({
    start: end - (23 - index) * hour,
    used: 0,
    denied: 0,
  }))
  for (const { at, is_denied } of happenings) {
    // Events of a new hour that `now` has not reached yet count toward the last bar.
    const bar = bars[Math.min(23, 23 - (end - Math.floor(at / hour) * hour) / hour)]
    if (bar) bar[is_denied ? 'denied' : 'used']++
  }
  return bars
}
