import { Skeleton, Text } from '@mantine/core'
import { Failure } from '../parts/failure.tsx'
import { Section } from '../parts/page.tsx'
import { formatMoment, useNow } from '../parts/time.tsx'
import { type Day, hour } from './last-day.ts'

interface Bar {
  readonly start: number
  readonly used: number
  readonly denied: number
}

const [width, height, gap] = [24 * 20, 96, 4]

/** Shows how often doors were used, by hour. */
export function Activity({ day }: { day: Day }) {
  const now = useNow(60_000)
  const bars = countHours(day, now)
  const used = bars.reduce((sum, bar) => sum + bar.used, 0)
  const denied = bars.reduce((sum, bar) => sum + bar.denied, 0)
  const said = `${used.toLocaleString('en')} opened, ${denied.toLocaleString('en')} denied`
  const is_partial = day.since > now - 24 * hour + 60_000
  if (day.error)
    return (
      <Section title="Activity" flush>
        <Failure error={day.error} retry={day.refetch} />
      </Section>
    )
  return (
    <Section
      title="Activity"
      about={is_partial ? `Since ${formatMoment(new Date(day.since).toISOString())}` : 'Last 24 hours'}
      actions={
        <Text size="sm" c="dimmed" component="span" role="status">
          {!day.is_loading && said}
        </Text>
      }
    >
      {day.is_loading ? (
        <Skeleton height={height} />
      ) : (
        <div className="activity-axes">
          <div className="activity-axis" aria-hidden>
            {[1, 0.5, 0].map(part => (
              <span key={part}>{formatTick(mostOf(bars) * part)}</span>
            ))}
          </div>
          <Plot bars={bars} said={said} />
        </div>
      )}
      <div className="activity-scale" aria-hidden>
        {bars
          .filter((_, index) => index % 6 === 0)
          .map(({ start }) => (
            <span key={start}>{clock(start)}</span>
          ))}
        <span>now</span>
      </div>
    </Section>
  )
}

function Plot({ bars, said }: { bars: readonly Bar[]; said: string }) {
  const most = mostOf(bars)
  const scale = (count: number) => (count / most) * height
  return (
    <svg
      className="activity-plot"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Activity by hour: ${said}`}
    >
      {[0, 0.5, 1].map(part => (
        <line key={part} x1={0} x2={width} y1={height * part} y2={height * part} className="activity-line" />
      ))}
      {bars.map(({ start, used, denied }, index) => (
        <g key={start}>
          <title>{`${clock(start)}: ${used} opened, ${denied} denied`}</title>
          <rect x={index * 20} y={0} width={20} height={height} className="activity-hit" />
          <rect
            x={index * 20 + gap / 2}
            width={20 - gap}
            y={height - scale(used)}
            height={scale(used)}
            className="activity-used"
          />
          <rect
            x={index * 20 + gap / 2}
            width={20 - gap}
            y={height - scale(used) - scale(denied)}
            height={scale(denied)}
            className="activity-denied"
          />
        </g>
      ))}
    </svg>
  )
}

/** The top of the axis: an even number that no bar exceeds, so that its half is whole. */
function mostOf(bars: readonly Bar[]): number {
  const most = Math.max(4, ...bars.map(({ used, denied }) => used + denied))
  return most + (most % 2)
}

function formatTick(count: number): string {
  return count.toLocaleString('en')
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

function clock(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}
