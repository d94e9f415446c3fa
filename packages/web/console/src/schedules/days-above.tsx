import { formatDate } from '../parts/dates.ts'
import './next-days.css'

/** Names the seven days of a line, above it: `Thu 24`. */
export function DaysAbove({ dates }: { dates: readonly string[] }) {
  return dates.map(date => (
    <span key={date} className="next-name">
      {formatDate(date, 'short').split(' ', 2).join(' ')}
    </span>
  ))
}
