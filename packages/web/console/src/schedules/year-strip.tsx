import { type KeyboardEvent, memo, type SyntheticEvent, useMemo, useRef, useState } from 'react'
import { addDays, daysBetween } from '../parts/dates.ts'
import { dayWords } from './day-words.ts'
import { monthsOf, toRows, weeksShown } from './year.ts'
import { YearLegend } from './year-legend.tsx'
import './year-strip.css'
import type { PreviewDay } from './schedule.ts'

interface StripProps {
  readonly days: readonly PreviewDay[]
  /** A Monday: the first day of the first column. */
  readonly from: string
  readonly today: string
  readonly nameOf: (day: PreviewDay) => string | null | undefined
  /** Called with the day that the user clicks, or on which Enter is pressed. Undefined for viewers. */
  readonly onPick: ((date: string) => void) | undefined
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 }
const lastDay = weeksShown * 7 - 1

/**
 * A year, one column for each week. One listener serves all days, and a move of the focus draws only the
 * weekdays that it leaves and enters, so that the strip stays quick on slow phones.
 */
export function YearStrip({ days, from, today, nameOf, onPick }: StripProps) {
  const grid = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => toRows(days, from), [days, from])
  const [place, setPlace] = useState(() => Math.max(0, Math.min(lastDay, daysBetween(from, today))))
  const [said, setSaid] = useState<string>()
  const focus = (next: number) => {
    const bound = Math.max(0, Math.min(lastDay, next))
    setPlace(bound)
    grid.current?.querySelector<HTMLElement>(`[data-date="${addDays(from, bound)}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const date = dateAt(event)
    if (date && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault()
      return onPick?.(date)
    }
    const next = nextPlace(event.key, place)
    if (next === undefined) return
    event.preventDefault()
    focus(next)
  }
  const say = (event: SyntheticEvent) => {
    const date = dateAt(event)
    const day = date && days.find(day => day.date === date)
    if (day) setSaid(dayWords(day, nameOf(day)))
  }
  return (
    <>
      <div className="year-scroll">
        <div className="year-months" aria-hidden>
          {monthsOf(from).map(({ name, column }) => (
            <span key={column} style={{ gridColumn: column + 2 }}>
              {name}
            </span>
          ))}
        </div>
        <div
          ref={grid}
          role="grid"
          aria-label="Days of the year"
          aria-readonly={!onPick}
          className="year-grid"
          onKeyDown={onKeyDown}
          onFocus={say}
          onPointerOver={say}
          onClick={event => {
            const date = dateAt(event)
            if (!date) return
            setPlace(daysBetween(from, date))
            onPick?.(date)
          }}
        >
          {rows.map((row, weekday) => (
            <WeekdayRow
              key={weekdayNames[weekday]}
              weekday={weekday}
              row={row}
              focused={place % 7 === weekday ? Math.floor(place / 7) : -1}
              today={today}
              nameOf={nameOf}
            />
          ))}
        </div>
      </div>
      <p className="year-said" aria-hidden>
        {said ?? 'Point at a day to read its times, or move with the arrow keys.'}
      </p>
      <YearLegend />
    </>
  )
}

const weekdayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

interface RowProps {
  readonly weekday: number
  readonly row: readonly (PreviewDay | undefined)[]
  /** The column of the day that Tab reaches, or -1. */
  readonly focused: number
  readonly today: string
  readonly nameOf: StripProps['nameOf']
}

const WeekdayRow = memo(function WeekdayRow({ weekday, row, focused, today, nameOf }: RowProps) {
  return (
    <div role="row" className="year-row">
      <span role="rowheader" className="year-name">
        {weekdayNames[weekday]}
      </span>
      {row.map((day, column) =>
        day ? (
          <span
            key={day.date}
            role="gridcell"
            className="year-day"
            data-date={day.date}
            data-source={day.source}
            data-open={day.ranges.length > 0}
            data-change={day.clock_change || undefined}
            aria-current={day.date === today ? 'date' : undefined}
            aria-label={dayWords(day, nameOf(day))}
            tabIndex={column === focused ? 0 : -1}
          />
        ) : (
          <span key={column} role="gridcell" aria-label="This date does not exist here" />
        ),
      )}
    </div>
  )
})

function nextPlace(key: string, place: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return lastDay
  const step = steps[key] ?? { PageUp: -28, PageDown: 28 }[key]
  return step === undefined ? undefined : place + step
}

function dateAt({ target }: SyntheticEvent): string | undefined {
  return target instanceof HTMLElement ? target.dataset.date : undefined
}
