import { Select } from '@mantine/core'
import { t } from '../language/t.ts'
import { secondsWords } from '../parts/units.ts'

interface SecondsSelectProps {
  readonly label: string
  readonly description?: string
  readonly options: readonly number[]
  /** What null is called. Omitted if there has to be a length. */
  readonly none?: string
  /** What no time at all is called. */
  readonly zero?: string
  readonly value: number | null
  readonly onChange: (seconds: number | null) => void
  readonly error?: string | undefined
}

/** Picks a length of time among the usual ones. Another that is already set stays possible. */
export function SecondsSelect(props: SecondsSelectProps) {
  const { options, none, zero = t('Not early'), value, onChange } = props
  const all = [...new Set([...options, ...(value === null ? [] : [value])])].sort((a, b) => a - b)
  return (
    <Select
      label={props.label}
      description={props.description}
      error={props.error}
      allowDeselect={false}
      data={[
        ...(none === undefined ? [] : [{ value: '', label: none }]),
        ...all.map(seconds => ({
          value: String(seconds),
          label: seconds === 0 ? zero : secondsWords(seconds),
        })),
      ]}
      value={value === null ? '' : String(value)}
      onChange={chosen => onChange(chosen ? Number(chosen) : chosen === '' ? null : value)}
    />
  )
}
