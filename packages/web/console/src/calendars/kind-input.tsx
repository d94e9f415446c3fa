import { Autocomplete } from '@mantine/core'
import { useState } from 'react'
import { kindOf, kindWords } from './kind-words.ts'

interface KindProps {
  readonly kinds: readonly string[]
  readonly value: string
  readonly onChange: (kind: string) => void
  readonly error?: string | undefined
}

/** Names a kind of day, in words: one that exists, or a new one. */
export function KindInput({ kinds, value, onChange, error }: KindProps) {
  const [words, setWords] = useState(kindWords(value))
  return (
    <Autocomplete
      label="Kind"
      description="What schedules react to, such as holiday or half day"
      required
      maxLength={64}
      data={kinds.map(kindWords)}
      // Inside the dialog, so that assistive technology finds the suggestions there.
      comboboxProps={{ withinPortal: false }}
      value={words}
      error={error}
      onChange={next => {
        setWords(next)
        onChange(kindOf(next))
      }}
    />
  )
}
