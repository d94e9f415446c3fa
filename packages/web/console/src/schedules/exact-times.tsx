import { TextInput } from '@mantine/core'
import { t } from '../language/t.ts'
import { dayNames } from './day-names.ts'
import type { Weekday } from './slots.ts'
import { addMorning, clockText, parseNight, timesText } from './times-text.ts'

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
          next={dayNames[(day + 1) % dayNames.length] ?? ''}
          weekday={weekdays[day] as Weekday}
          onChange={weekday => onChange(weekdays.with(day, weekday))}
          typed={typed[day]}
          onType={next => onType({ ...typed, [day]: next })}
          onLeave={until => {
            onType({ ...typed, [day]: undefined })
            onChange(addMorning(weekdays, day, until))
          }}
        />
      ))}
    </div>
  )
}

/** Returns true if the text of any day is invalid. Saving would then store the day's previous times. */
export function hasWrongTimes(weekdays: readonly Weekday[], typed: TypedDays): boolean {
  return weekdays.some((weekday, day) => typeof parseNight(textOf(weekday, typed[day])) === 'string')
}

/** Keeps the text being typed, valid or not, until the day changes elsewhere. */
function textOf(weekday: Weekday, typed: Typed | undefined): string {
  const canonical = timesText(weekday)
  return typed?.of === canonical ? typed.text : canonical
}

interface DayProps {
  readonly name: string
  /** The name of the day after. */
  readonly next: string
  readonly weekday: Weekday
  readonly onChange: (weekday: Weekday) => void
  readonly typed: Typed | undefined
  readonly onType: (typed: Typed | undefined) => void
  /** What goes on after midnight belongs to the day after only when the text is finished. */
  readonly onLeave: (until: number) => void
}

function DayTimes({ name, next, weekday, onChange, typed, onType, onLeave }: DayProps) {
  const text = textOf(weekday, typed)
  const parsed = parseNight(text)
  return (
    <TextInput
      label={name}
      placeholder="closed"
      value={text}
      error={typeof parsed === 'string' ? parsed : undefined}
      description={typeof parsed !== 'string' && parsed.until > 0 && nightText(parsed.until, next)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onBlur={() => typed && typeof parsed !== 'string' && onLeave(parsed.until)}
      onChange={event => {
        const given = event.currentTarget.value
        const read = parseNight(given)
        onType({ text: given, of: timesText(typeof read === 'string' ? weekday : read) })
        if (typeof read !== 'string') onChange({ ranges: read.ranges })
      }}
    />
  )
}

function nightText(until: number, next: string): string {
  return t(`Goes on until ${clockText(until)} on ${next}`)
}
