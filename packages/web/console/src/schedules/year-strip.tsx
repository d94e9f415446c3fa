import { type KeyboardEvent, type MouseEvent, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '../language/t.ts'
import { daysBetween } from '../parts/dates.ts'
import { is_touch } from '../parts/touch.ts'
import { dayWords } from './day-words.ts'
import type { PreviewDay } from './schedule.ts'
import { lastPlace, monthsOf, toPlaces, weeksShown } from './year.ts'
import { YearLegend } from './year-legend.tsx'
import { placeAt, YearPicture } from './year-picture.tsx'
import { YearWeek } from './year-week.tsx'
import './year-strip.css'

interface StripProps {
  /** Undefined while they are loading. */
  readonly days: readonly PreviewDay[] | undefined
  /** A Monday: the first day of the first column. */
  readonly from: string
  readonly today: string
  readonly nameOf: (day: PreviewDay) => string | null | undefined
  /** Called with the day that the user clicks, or on which Enter is pressed. Undefined for viewers. */
  readonly onPick: ((date: string) => void) | undefined
}

/** A year, one column for each week: a picture, and above it the days of the week in focus. */
export function YearStrip({ days, from, today, nameOf, onPick }: StripProps) {
  const grid = useRef<HTMLDivElement>(null)
  const picture = useRef<SVGSVGElement>(null)
  const places = useMemo(() => days && toPlaces(days, from), [days, from])
  const todayPlace = daysBetween(from, today)
  const [place, setPlace] = useState(inYear(todayPlace))
  const [pointed, setPointed] = useState<number>()
  const told = pointed === undefined ? undefined : places?.[pointed]
  const focus = (next: number) => {
    flushSync(() => setPlace(inYear(next)))
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }
  const pick = (at: number) => {
    const date = places?.[at]?.date
    if (date) onPick?.(date)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    if (step === 0) pick(place)
    else focus(place + step)
  }
  // On a phone, the names of the weekdays cover the days that are scrolled away.
  const pointAt = (event: MouseEvent) =>
    picture.current && !isName(event.target) ? placeAt(picture.current, event) : undefined
  return (
    <>
      <div className="year-scroll">
        <div className="year-sheet">
          <Months from={from} />
          <div
            ref={grid}
            role="grid"
            aria-label="Days of the year"
            aria-readonly={!onPick}
            aria-busy={!days}
            aria-rowcount={7}
            aria-colcount={weeksShown + 1}
            className="year-grid"
            data-from={from}
            onKeyDown={onKeyDown}
            onFocus={() => setPointed(place)}
            onPointerMove={event => setPointed(pointAt(event) ?? pointed)}
            onClick={event => {
              // A screen reader clicks on the element, and says no point.
              const at = pointAt(event) ?? placeOf(event.target)
              if (at === undefined) return
              focus(at)
              pick(at)
            }}
          >
            <YearPicture ref={picture} places={places} today={todayPlace} />
            <YearWeek places={places} place={place} today={todayPlace} nameOf={nameOf} />
          </div>
        </div>
      </div>
      <p className="year-said" aria-hidden>
        {told ? dayWords(told, nameOf(told)) : readHint}
      </p>
      {legend}
    </>
  )
}

const readHint = is_touch
  ? t('Tap a day to read its times.')
  : t('Point at a day to read its times, or move with the arrow keys.')

const legend = <YearLegend />

function Months({ from }: { from: string }) {
  const months = useMemo(() => monthsOf(from), [from])
  return (
    <div className="year-months" aria-hidden>
      {months.map(({ name, column }) => (
        <span key={column} style={{ left: `${(column / weeksShown) * 100}%` }}>
          {name}
        </span>
      ))}
    </div>
  )
}

/** By how many days keys move. */
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -7,
  ArrowRight: 7,
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -28,
  PageDown: 28,
  Home: -lastPlace,
  End: lastPlace,
  // These pick the day.
  Enter: 0,
  ' ': 0,
}

function inYear(place: number): number {
  return Math.max(0, Math.min(lastPlace, place))
}

function placeOf(target: EventTarget): number | undefined {
  const place = target instanceof HTMLElement ? target.dataset.place : undefined
  return place === undefined ? undefined : Number(place)
}

function isName(target: EventTarget): boolean {
  return target instanceof Element && target.role === 'rowheader'
}
