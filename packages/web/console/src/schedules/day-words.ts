import { kindWords } from '../calendars/kind-words.ts'
import { t } from '../language/t.ts'
import { formatDate } from '../parts/dates.ts'
import type { PreviewDay } from './schedule.ts'
import type { Range } from './slots.ts'
import { clockText } from './times-text.ts'

export const wholeDay = 86_400

/** Returns `08:00 to 12:00 and 13:00 to 18:00`, `all day` or `closed`. */
export function hoursWords(ranges: readonly Range[]): string {
  if (ranges.length === 0) return t('closed')
  const [first] = ranges
  if (first?.start === 0 && first.end === wholeDay) return t('all day')
  return [...ranges]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end }) => t(`${clockText(start)} to ${clockText(end)}`))
    .join(t(' and '))
}

/** Returns why the day has other times than its weekday: `holiday, Epiphany`. */
export function whyWords({ source, kind }: PreviewDay, name: string | null | undefined): string | undefined {
  if (source === 'weekday') return undefined
  const reason = source === 'exception' ? t('exception') : kindWords(kind ?? '')
  return name ? `${reason}, ${name}` : reason
}

/** Returns a day in a sentence: `Thursday 24 December 2026: 08:00 to 12:00. Exception, Christmas Eve.` */
export function dayWords(day: PreviewDay, name: string | null | undefined): string {
  const why = whyWords(day, name)
  const reason = why ? ` (${why})` : ''
  const change = day.clock_change ? t('. The clocks change') : ''
  return `${formatDate(day.date, 'long')}: ${hoursWords(day.ranges)}${reason}${change}`
}
