import { ActionIcon, Button, Group, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { IconCalendarEvent, IconChevronLeft, IconChevronRight } from '../icons/icons.ts'
import { addDays, addMonths, formatDate, monthGrid } from '../parts/dates.ts'
import './day-picker.css'

interface DayPickerProps {
  /** The label of the input that it fills. */
  readonly of: string
  /** Empty if no date is chosen. */
  readonly value: string
  readonly min?: string | undefined
  readonly onChange: (date: string) => void
  /** A day is not all that is chosen here. */
  readonly has_more?: boolean
  /** Comes below the days: the time of the day. */
  readonly children?: ReactNode
}

/** A button that opens a month to pick a day from. */
export function DayPicker({ of, value, min, onChange, has_more, children }: DayPickerProps) {
  const [is_open, open] = useDisclosure(false)
  const pick = (date: string) => {
    onChange(date)
    if (!has_more) open.close()
  }
  return (
    <Popover
      opened={is_open}
      onChange={open.set}
      trapFocus
      returnFocus
      position="bottom-end"
      shadow="md"
      // Over the input, where a phone has no room above or below it.
      middlewares={{ flip: true, shift: { crossAxis: true, padding: 8 } }}
    >
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Pick a day: ${of}`} onClick={open.toggle}>
          <IconCalendarEvent size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={of}>
        <Month value={value} min={min} onPick={pick} />
        {children && <div className="day-picker-time">{children}</div>}
        <Group justify="space-between" mt="xs">
          <Button size="compact-sm" variant="subtle" onClick={() => pick('')} disabled={value === ''}>
            Clear
          </Button>
          <Button size="compact-sm" variant="light" onClick={open.close}>
            Done
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

interface MonthProps {
  readonly value: string
  readonly min: string | undefined
  readonly onPick: (date: string) => void
}

/** One day takes part in the order of Tab; arrows go from there. */
function Month({ value, min, onPick }: MonthProps) {
  const today = Temporal.Now.plainDateISO().toString()
  const [at, setAt] = useState(value || (min && min > today ? min : today))
  const days = useRef<HTMLTableElement>(null)
  const [is_moved, setMoved] = useState(false)
  useEffect(() => {
    if (is_moved) days.current?.querySelector<HTMLElement>(`[data-date="${at}"]`)?.focus()
  }, [at, is_moved])
  const show = (date: string, isByKey: boolean) => {
    setMoved(isByKey)
    setAt(date)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = steps[event.key]?.(at)
    if (next === undefined) return
    event.preventDefault()
    show(next, true)
  }
  return (
    <>
      <div className="day-picker-head">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Month before"
          onClick={() => show(addMonths(at, -1), false)}
        >
          <IconChevronLeft size={16} />
        </ActionIcon>
        <strong aria-live="polite">{formatDate(at, 'monthOfYear')}</strong>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Month after"
          onClick={() => show(addMonths(at, 1), false)}
        >
          <IconChevronRight size={16} />
        </ActionIcon>
      </div>
      <table className="day-picker" ref={days}>
        <thead>
          <tr>
            {monthGrid(at)[0]?.map(date => (
              <th key={date} scope="col" abbr={formatDate(date, 'weekday')}>
                {formatDate(date, 'weekdayShort')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthGrid(at).map(week => (
            <tr key={week[0]}>
              {week.map(date => (
                <td key={date}>
                  <button
                    type="button"
                    data-date={date}
                    data-beside={date.slice(0, 7) !== at.slice(0, 7) || undefined}
                    aria-pressed={date === value}
                    aria-current={date === today ? 'date' : undefined}
                    aria-label={formatDate(date, 'long')}
                    tabIndex={date === at ? 0 : -1}
                    data-autofocus={date === at || undefined}
                    disabled={min !== undefined && date < min}
                    onKeyDown={onKeyDown}
                    onClick={() => {
                      show(date, false)
                      onPick(date)
                    }}
                  >
                    {Number(date.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const steps: Readonly<Record<string, (date: string) => string>> = {
  ArrowLeft: date => addDays(date, -1),
  ArrowRight: date => addDays(date, 1),
  ArrowUp: date => addDays(date, -7),
  ArrowDown: date => addDays(date, 7),
  PageUp: date => addMonths(date, -1),
  PageDown: date => addMonths(date, 1),
}
