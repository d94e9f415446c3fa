import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatAgo, formatExact, formatMoment } from './format-time.ts'

export {
  browserZone,
  formatAgo,
  formatClock,
  formatDay,
  formatDaysAgo,
  formatExact,
  formatMoment,
  formatShort,
  formatShortDate,
  formatWeekday,
  zoneMark,
} from './format-time.ts'

/** Shows the time elapsed, with the exact time on hover. Updates itself. */
export function Ago({ at }: { at: string }) {
  const now = useNow(30_000)
  return (
    <Tooltip label={formatExact(at)}>
      <time dateTime={at} className="nowrap">
        {formatAgo(at, now)}
      </time>
    </Tooltip>
  )
}

export function Moment({ at, zone }: { at: string; zone?: string }) {
  return (
    <time dateTime={at} className="nowrap">
      {formatMoment(at, zone)}
    </time>
  )
}

/** Shows seconds too, for what happened: at a door, or when an alarm or an emergency began. */
export function Exact({ at }: { at: string }) {
  return (
    <time dateTime={at} className="nowrap">
      {formatExact(at)}
    </time>
  )
}

/** Returns the current time, updated every `gap` milliseconds. */
export function useNow(gap: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), gap)
    return () => clearInterval(timer)
  }, [gap])
  return now
}
