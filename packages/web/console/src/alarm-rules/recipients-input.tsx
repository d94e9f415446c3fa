import { MultiSelect } from '@mantine/core'
import { useRecipients } from './use-recipients.ts'

interface RecipientsInputProps {
  readonly label: string
  readonly description?: string
  readonly value: readonly string[]
  readonly onChange: (keys: string[]) => void
  readonly error?: string | undefined
}

/** Picks up to 20 recipients. Those that are gone stay visible, so that they can be removed. */
export function RecipientsInput({ label, description, value, onChange, error }: RecipientsInputProps) {
  const { groups, nameOf } = useRecipients()
  const known = new Set(groups.flatMap(({ items }) => items.map(item => item.value)))
  const gone = value.filter(key => !known.has(key)).map(key => ({ value: key, label: nameOf(key) }))
  return (
    <MultiSelect
      label={label}
      description={description}
      placeholder={value.length === 0 ? 'Search…' : ''}
      required
      data={gone.length > 0 ? [...groups, { group: 'Gone', items: gone }] : groups}
      value={[...value]}
      onChange={onChange}
      error={error}
      maxValues={20}
      searchable
      hidePickedOptions
      nothingFoundMessage="Nobody with this name"
    />
  )
}
