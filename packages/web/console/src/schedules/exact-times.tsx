import { TextInput } from '@mantine/core'
import type { Weekday } from './slots.ts'
import { parseTimes, timesText } from './times-text.ts'
import { dayNames } from './week-grid.tsx'

interface Typed {
  readonly text: string
  /** The canonical text of the day's times when the user typed. */
  readonly of: string
}

/** The text being typed, by day. Invalid times exist only here. */
export type TypedDays = Readonly<Record<number, Typed | undefined>>

interface ExactProps {
  readonly weekdays: readonly Weekday[]
  readonly onChange: (weekdays: readonly Weekday[]) => void
  readonly typed: TypedDays
  readonly onType: (typed: TypedDays) => void
}

/** Edits the same week as text, for times that are not on a half hour. */
export function ExactTimes({ weekdays, onChange, typed, onType }: ExactProps) {
  return (
    <div className="schedules-exact">
      {dayNames.map((name, day) => (
        <DayTimes
          key={name}
          name={name}
          weekday={weekdays[day] as Weekday}
          onChange={weekday => onChange(weekdays.with(day, weekday))}
          typed={typed[day]}
          onType={next => onType({ ...typed, [day]: next })}
        />
      ))}
    </div>
  )
}

/** Returns true if the text of any day is invalid. Saving would then store the day's previous times. */
export function hasWrongTimes(weekdays: readonly Weekday[], typed: TypedDays): boolean {
  return weekdays.some((weekday, day) => typeof parseTimes(textOf(weekday, typed[day])) === 'string')
}

/** Keeps the text being typed, valid or not, until the day changes elsewhere. */
function textOf(weekday: Weekday, typed: Typed | undefined): string {
  const canonical = timesText(weekday)
  return typed?.of === canonical ? typed.text : canonical
}

interface DayProps {
  readonly name: string
  readonly weekday: Weekday
  readonly onChange: (weekday: Weekday) => void
  readonly typed: Typed | undefined
  readonly onType: (typed: Typed | undefined) => void
}

function DayTimes({ name, weekday, onChange, typed, onType }: DayProps) {
  const text = textOf(weekday, typed)
  const parsed = parseTimes(text)
  return (
    <TextInput
      label={name}
      placeholder="closed"
      value={text}
      error={typeof parsed === 'string' ? parsed : undefined}
      onBlur={() => typeof parsed !== 'string' && onType(undefined)}
      onChange={event => {
        const next = event.currentTarget.value
        const read = parseTimes(next)
        onType({ text: next, of: timesText(typeof read === 'string' ? weekday : read) })
        if (typeof read !== 'string') onChange(read)
      }}
    />
  )
}
