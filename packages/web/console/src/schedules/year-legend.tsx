import { type Mark, YearSample } from './year-picture.tsx'
import type { DayLook } from './year-shapes.ts'

/** Says what the marks of the strip mean. Each differs by its shape too, for those who do not see its color. */
export function YearLegend() {
  return (
    <ul className="year-legend">
      <Entry look="weekday open">Open as every week</Entry>
      <Entry look="weekday closed">Closed</Entry>
      <Entry look="special_day open">Special day</Entry>
      <Entry look="special_day closed">Special day, closed</Entry>
      <Entry look="exception open">Exception</Entry>
      <Entry look="exception closed">Exception, closed</Entry>
      <Entry look="weekday open" mark="change">
        Clocks change
      </Entry>
      <Entry look="weekday open" mark="today">
        Today
      </Entry>
    </ul>
  )
}

interface EntryProps {
  readonly look: DayLook
  readonly mark?: Mark
  readonly children: string
}

function Entry({ look, mark, children }: EntryProps) {
  return (
    <li>
      <YearSample look={look} mark={mark} />
      {children}
    </li>
  )
}
