import { t } from '../language/t.ts'
import { readClock } from './read-date.ts'
import { TypedInput } from './typed-input.tsx'

interface ClockInputProps {
  readonly label: string
  readonly required?: boolean
  /** `18:00`. Empty if there is none. */
  readonly value: string
  readonly onChange: (clock: string) => void
}

/** Edits a time of the day, with 24 hours. */
export function ClockInput(props: ClockInputProps) {
  return (
    <TypedInput {...props} format={clock => clock} read={readClock} hint={t('Write a time such as 18:00')} />
  )
}
