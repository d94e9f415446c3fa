import { Checkbox, Stack } from '@mantine/core'
import { scopeChoices } from '../users/role-words.ts'

interface ScopePickProps {
  readonly value: readonly string[]
  readonly onChange: (scopes: string[]) => void
}

/** Chooses what a key or an application may do. */
export function ScopePick({ value, onChange }: ScopePickProps) {
  return (
    <Checkbox.Group label="What it may do" required value={[...value]} onChange={onChange}>
      <Stack gap={8} mt={6}>
        {scopeChoices.map(([scope, words]) => (
          <Checkbox key={scope} value={scope} label={words} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
