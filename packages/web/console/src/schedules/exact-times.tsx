import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Weekday } from './slots.ts'
import { parseTimes, timesText } from './times-text.ts'
import { dayNames } from './week-grid.tsx'

interface ExactProps {
  readonly weekdays: readonly Weekday[]
  readonly onChange: (weekdays: readonly Weekday[]) => void
}

/** The same week as text, for times that are no half hours. */
export function ExactTimes({ weekdays, onChange }: ExactProps) {
  return (
    <div className="schedules-exact">
      {dayNames.map((name, day) => (
        <DayTimes
          key={name}
          name={name}
          weekday={weekdays[day] as Weekday}
          onChange={weekday => onChange(weekdays.with(day, weekday))}
        />
      ))}
    </div>
  )
}

interface DayProps {
  readonly name: string
  readonly weekday: Weekday
  readonly onChange: (weekday: Weekday) => void
}

/** Keeps what is being typed, right or wrong, until the day is changed elsewhere. */
function DayTimes({ name, weekday, onChange }: DayProps) {
  const canonical = timesText(weekday)
  const [typed, setTyped] = useState<{ text: string; of: string }>()
  const text = typed && typed.of === canonical ? typed.text : canonical
  const parsed = parseTimes(text)
  return (
    <TextInput
      label={name}
      placeholder="closed"
      value={text}
      error={typeof parsed === 'string' ? parsed : undefined}
      onBlur={() => typeof parsed !== 'string' && setTyped(undefined)}
      onChange={event => {
        const next = event.currentTarget.value
        const read = parseTimes(next)
        setTyped({ text: next, of: typeof read === 'string' ? canonical : timesText(read) })
        if (typeof read !== 'string') onChange(read)
      }}
    />
  )
}
