import { lengthWords } from '../emergencies/emergency.ts'
import { exactWords, zoneAt } from '../events/event-time.tsx'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { formatAgo, useNow } from '../parts/time.tsx'
import type { Alarm } from './alarm.ts'

/** Returns `since 5 min ago` or `lasted 3 min, over since 10:05`. */
export function Timing({ alarm }: { alarm: Alarm }) {
  const now = useNow(10_000)
  const { started_at, ended_at, is_over, occurrence_count, site } = alarm
  const often = occurrence_count > 1 ? t(` · ${occurrence_count.toLocaleString(locale)} times`) : ''
  return (
    <time dateTime={started_at} title={exactWords(started_at, zoneAt(site, started_at))}>
      {formatAgo(started_at, now)}
      {is_over && ended_at ? ` · over after ${lengthWords(started_at, Date.parse(ended_at))}` : ' · still on'}
      {often}
    </time>
  )
}
