import type { Taggable } from '@gatehouse-access/api'
import { MultiSelect } from '@mantine/core'
import { useTags } from '../parts/tags.tsx'

interface PickTagsProps {
  readonly kind: Taggable
  readonly value: readonly string[]
  readonly onChange: (ids: string[]) => void
}

/** Offers the tags that apply to this kind of object. */
export function PickTags({ kind, value, onChange }: PickTagsProps) {
  const { data } = useTags()
  const fitting = [...(data?.values() ?? [])].filter(
    tag => value.includes(tag.id) || (tag.applies_to as readonly string[]).includes(kind),
  )
  return (
    <MultiSelect
      label="Tags"
      placeholder={value.length === 0 ? 'None' : ''}
      data={fitting.map(({ id, name }) => ({ value: id, label: name }))}
      value={[...value]}
      onChange={onChange}
      searchable
      clearable
      nothingFoundMessage="No matching tags"
    />
  )
}
