import { Autocomplete } from '@mantine/core'
import { toLocalId } from '../form/local-id.ts'

interface KindProps {
  readonly kinds: readonly string[]
  readonly value: string
  readonly onChange: (kind: string) => void
  readonly error?: string | undefined
}

/** Names a kind of day: one that exists, or a new one. */
export function KindInput({ kinds, value, onChange, error }: KindProps) {
  const id = toLocalId(value)
  return (
    <Autocomplete
      label="Kind"
      description={
        id && id !== value ? `Saved as ${id}` : 'What schedules react to, such as holiday or half_day'
      }
      required
      maxLength={64}
      data={[...kinds]}
      // Inside the dialog, so that assistive technology finds the suggestions there.
      comboboxProps={{ withinPortal: false }}
      value={value}
      error={error}
      onChange={onChange}
    />
  )
}
