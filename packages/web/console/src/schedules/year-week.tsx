import { shortDayNames } from './day-names.ts'
import { dayWords } from './day-words.ts'
import type { PreviewDay } from './schedule.ts'
import { type Places, weeksShown } from './year.ts'

interface WeekProps {
  /** Undefined while they are loading. */
  readonly places: Places | undefined
  /** The place of the day that Tab reaches. */
  readonly place: number
  readonly today: number
  readonly nameOf: (day: PreviewDay) => string | null | undefined
}

/**
 * The rows of the strip. Only the days of the week in focus are elements, which keyboards and screen readers
 * reach; the arrow keys bring the other weeks.
 */
export function YearWeek({ places, place, today, nameOf }: WeekProps) {
  const column = Math.floor(place / 7)
  return shortDayNames.map((name, row) => {
    const own = column * 7 + row
    const day = places?.[own]
    return (
      <div key={name} role="row" aria-rowindex={row + 1} className="year-row" style={{ gridRow: row + 1 }}>
        <span role="rowheader" aria-colindex={1} className="year-name">
          {name}
        </span>
        <span
          // Anew for each day, so that screen readers tell that the focus has moved.
          key={own}
          role="gridcell"
          aria-colindex={column + 2}
          className="year-day"
          data-place={own}
          aria-current={own === today ? 'date' : undefined}
          aria-label={day ? dayWords(day, nameOf(day)) : places ? 'This date does not exist here' : 'Loading'}
          tabIndex={own === place ? 0 : -1}
          style={{ left: `${(column / weeksShown) * 100}%` }}
        />
      </div>
    )
  })
}
