import { t } from '../language/t.ts'
import { formatDate } from '../parts/dates.ts'
import { DayPicker } from './day-picker.tsx'
import { readDate } from './read-date.ts'
import { TypedInput } from './typed-input.tsx'

interface DateInputProps {
  readonly label: string
  readonly description?: string | undefined
  readonly placeholder?: string | undefined
  readonly required?: boolean
  readonly error?: string | undefined
  /** `2026-11-14`. Empty if there is none. */
  readonly value: string
  readonly onChange: (date: string) => void
  /** The first date that can be chosen. */
  readonly min?: string | undefined
}

/** Edits a date, shown in the language of the console, and typed or picked. */
export function DateInput({ min, ...props }: DateInputProps) {
  const { label, value, onChange } = props
  return (
    <TypedInput
      {...props}
      format={date => formatDate(date, 'plain')}
      read={readDate}
      hint={t(`Write a date such as ${formatDate('2026-11-14', 'plain')}`)}
      refuse={date =>
        min && date < min ? t(`Choose ${formatDate(min, 'plain')}, or a later date`) : undefined
      }
      picker={<DayPicker of={label} value={value} min={min} onChange={onChange} />}
    />
  )
}
