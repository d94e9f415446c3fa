import { ActionIcon, Menu } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { IconCopy } from '../icons/icons.ts'
import { dayNames, shortDayNames } from './day-names.ts'
import { clockOf, coverOf, paint, slot, slotsADay, type Weekday } from './slots.ts'
import './schedules.css'

interface GridProps {
  readonly weekdays: readonly Weekday[]
  readonly onChange: (weekdays: readonly Weekday[]) => void
  readonly readOnly: boolean
  /** The rows. Defaults to the seven days of the week. */
  readonly names?: readonly string[]
  readonly label?: string
}

interface Stroke {
  readonly day: number
  readonly from: number
  readonly to: number
  readonly is_on: boolean
}

/**
 * A week, or another list of days, in half hours. Dragging the mouse paints. With the keyboard, arrows move, Space paints or clears,
 * and Shift with an arrow continues painting.
 */
export function WeekGrid({ weekdays, onChange, readOnly, names = dayNames, label }: GridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ day: 0, index: 16 })
  const [stroke, setStroke] = useState<Stroke>()
  // The pointer may be released before its last move has rendered, so the stroke is also kept in a ref.
  const latest = useRef<Stroke>(undefined)
  const draw = (next: Stroke | undefined) => {
    latest.current = next
    setStroke(next)
  }
  const letGo = () => {
    if (latest.current) onChange(painted(weekdays, latest.current))
    draw(undefined)
  }
  const shown = stroke ? painted(weekdays, stroke) : weekdays
  const focus = (day: number, index: number) => {
    setPlace({ day, index })
    grid.current?.querySelector<HTMLElement>(`[data-cell="${day}-${index}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { day, index } = place
    if (event.key === ' ' && !readOnly) {
      event.preventDefault()
      const is_on = coverOf(weekdays[day] as Weekday, index) !== 'full'
      onChange(painted(weekdays, { day, from: index, to: index, is_on }))
    }
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key]
    if (!step) return
    event.preventDefault()
    const next = Math.max(0, Math.min(slotsADay - 1, index + (step[1] ?? 0)))
    const is_on = coverOf(weekdays[day] as Weekday, index) === 'full'
    if (event.shiftKey && !readOnly && step[0] === 0)
      onChange(painted(weekdays, { day, from: index, to: next, is_on }))
    focus(Math.max(0, Math.min(names.length - 1, day + (step[0] ?? 0))), next)
  }
  return (
    <div
      ref={grid}
      role="grid"
      aria-label={label ?? 'Times of the week'}
      aria-readonly={readOnly}
      className="schedules-grid"
      onKeyDown={onKeyDown}
      onPointerUp={letGo}
      onPointerLeave={letGo}
      // Comes before the pointer leaves: the system has taken the finger, for example to scroll.
      onPointerCancel={() => draw(undefined)}
    >
      <div className="schedules-hours" aria-hidden>
        {[0, 4, 8, 12, 16, 20].map(hour => (
          <span key={hour}>{clockOf(hour * 3600)}</span>
        ))}
      </div>
      {names.map((name, day) => (
        <div key={name} role="row" className="schedules-day">
          <span role="rowheader" className="schedules-name">
            {names === dayNames ? shortDayNames[day] : name.slice(0, 3)}
          </span>
          {Array.from({ length: slotsADay }, (_, index) => (
            <span
              key={index}
              role="gridcell"
              data-cell={`${day}-${index}`}
              data-cover={coverOf(shown[day] as Weekday, index)}
              tabIndex={place.day === day && place.index === index ? 0 : -1}
              aria-selected={coverOf(shown[day] as Weekday, index) !== 'none'}
              aria-label={`${name} ${clockOf(index * slot)} to ${clockOf((index + 1) * slot)}`}
              className="schedules-cell"
              onPointerDown={event => {
                event.currentTarget.releasePointerCapture(event.pointerId)
                setPlace({ day, index })
                if (!readOnly)
                  draw({
                    day,
                    from: index,
                    to: index,
                    is_on: coverOf(weekdays[day] as Weekday, index) !== 'full',
                  })
              }}
              onPointerEnter={() => latest.current && draw({ ...latest.current, to: index })}
            />
          ))}
          {!readOnly && names === dayNames && <CopyDay day={day} weekdays={weekdays} onChange={onChange} />}
        </div>
      ))}
    </div>
  )
}

function painted(weekdays: readonly Weekday[], { day, from, to, is_on }: Stroke): readonly Weekday[] {
  return weekdays.with(day, paint(weekdays[day] as Weekday, from, to, is_on))
}

function CopyDay({ day, weekdays, onChange }: { day: number } & Pick<GridProps, 'weekdays' | 'onChange'>) {
  const copyTo = (days: readonly number[]) =>
    onChange(weekdays.map((weekday, index) => (days.includes(index) ? (weekdays[day] as Weekday) : weekday)))
  return (
    <span role="gridcell">
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="sm" aria-label={`Copy ${dayNames[day]} to other days`}>
            <IconCopy size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Copy {dayNames[day]} to</Menu.Label>
          <Menu.Item onClick={() => copyTo([0, 1, 2, 3, 4])}>Monday to Friday</Menu.Item>
          <Menu.Item onClick={() => copyTo([5, 6])}>The weekend</Menu.Item>
          <Menu.Item onClick={() => copyTo([0, 1, 2, 3, 4, 5, 6])}>Every day</Menu.Item>
          <Menu.Divider />
          {dayNames.map(
            (name, other) =>
              other !== day && (
                <Menu.Item key={name} onClick={() => copyTo([other])}>
                  {name}
                </Menu.Item>
              ),
          )}
        </Menu.Dropdown>
      </Menu>
    </span>
  )
}
