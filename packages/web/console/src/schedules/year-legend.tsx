/** Says what the marks of the strip mean. Each differs by its shape too, for those who do not see its color. */
export function YearLegend() {
  return (
    <ul className="year-legend">
      <Entry source="weekday" open>
        Open as every week
      </Entry>
      <Entry source="weekday">Closed</Entry>
      <Entry source="special_day" open>
        Special day
      </Entry>
      <Entry source="exception" open>
        Exception
      </Entry>
      <Entry source="weekday" open change>
        Clocks change
      </Entry>
    </ul>
  )
}

interface EntryProps {
  readonly source: string
  readonly open?: boolean
  readonly change?: boolean
  readonly children: string
}

function Entry({ source, open = false, change, children }: EntryProps) {
  return (
    <li>
      <span className="year-day" data-source={source} data-open={open} data-change={change} />
      {children}
    </li>
  )
}
