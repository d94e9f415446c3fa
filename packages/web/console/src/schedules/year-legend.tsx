import { YearSample } from './year-picture.tsx'
import type { DayLook } from './year-shapes.ts'

/** Says what the marks of the strip mean. Each differs by its shape too, for those who do not see its color. */
export function YearLegend() {
  return (
    <ul className="year-legend">
      <Entry look="weekday open">Open as every week</Entry>
      <Entry look="weekday closed">Closed</Entry>
      <Entry look="special_day open">Special day</Entry>
      <Entry look="exception open">Exception</Entry>
      <Entry look="weekday open" change>
        Clocks change
      </Entry>
    </ul>
  )
}

interface EntryProps {
  readonly look: DayLook
  readonly change?: boolean
  readonly children: string
}

function Entry({ look, change, children }: EntryProps) {
  return (
    <li>
      <YearSample look={look} change={change} />
      {children}
    </li>
  )
}
