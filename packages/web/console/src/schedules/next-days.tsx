import { memo, useDeferredValue, useMemo } from 'react'
import { capital } from '../parts/capital.ts'
import { formatDate } from '../parts/dates.ts'
import { Section } from '../parts/page.tsx'
import { wholeDay, whyWords } from './day-words.ts'
import { DaysAbove } from './days-above.tsx'
import { barsOf, timesWords } from './nights.ts'
import type { PreviewDay } from './schedule.ts'
import { type AtSite, useSiteYear } from './use-site-year.ts'
import './next-days.css'

interface NextDaysProps {
  readonly at: AtSite
  readonly title: string
}

/** Shows two weeks as lines of seven days, and in words. They are drawn after the year, which is seen first. */
export function NextDays({ at, title }: NextDaysProps) {
  const { today } = at
  const { days, nameOf } = useSiteYear(at)
  const next = useMemo(
    () => today && days && { days: days.filter(({ date }) => date >= today).slice(0, 14), today, nameOf },
    [days, today, nameOf],
  )
  const shown = useDeferredValue(next)
  return (
    shown && (
      <Section title={title}>
        <TwoWeeks {...shown} />
      </Section>
    )
  )
}

interface TwoWeeksProps {
  readonly days: readonly PreviewDay[]
  readonly today: string
  readonly nameOf: (day: PreviewDay) => string | null | undefined
}

const TwoWeeks = memo(function TwoWeeks({ days: shown, today, nameOf }: TwoWeeksProps) {
  return (
    <>
      <div className="next-lines" aria-hidden>
        <DayLine days={shown.slice(0, 7)} />
        <DayLine days={shown.slice(7)} />
      </div>
      <DayWords days={shown} today={today} label="Next 14 days" nameOf={nameOf} />
    </>
  )
})

interface DayWordsProps extends Omit<TwoWeeksProps, 'nameOf'> {
  readonly label: string
  readonly nameOf?: TwoWeeksProps['nameOf']
  /** What a day without times is called. */
  readonly never?: string
}

/** Tells the times of some days, a line each. */
export function DayWords({ days, today, label, nameOf = () => undefined, never }: DayWordsProps) {
  return (
    <ul className="next-words" aria-label={label}>
      {days.map((day, index) => (
        <li key={day.date}>
          <span className="schedules-date">
            {day.date === today ? 'Today' : formatDate(day.date, 'short')}
          </span>
          <span>
            {never && day.ranges.length === 0 ? never : capital(timesWords(days, index))}
            <Why day={day} name={nameOf(day)} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Why({ day, name }: { day: PreviewDay; name: string | null | undefined }) {
  const why = whyWords(day, name)
  return (
    <>
      {why && (
        <span className="soft">
          {' – '}
          <bdi>{why}</bdi>
        </span>
      )}
      {day.clock_change && <strong className="schedules-odd"> Clocks change</strong>}
    </>
  )
}

/** Draws seven days. */
export function DayLine({ days }: { days: readonly PreviewDay[] }) {
  const percent = (seconds: number) => `${(seconds / wholeDay / 7) * 100}%`
  return (
    <div className="next-line">
      <DaysAbove dates={days.map(({ date }) => date)} />
      <div className="next-bars">
        {barsOf(days).map(({ from, until, source }) => (
          <span
            key={from}
            data-source={source}
            style={{ left: percent(from), width: percent(until - from) }}
          />
        ))}
      </div>
    </div>
  )
}
