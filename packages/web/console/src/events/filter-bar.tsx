import { objectTypes, resources, verbs } from '@gatehouse-access/api'
import { ActionIcon, Button, Group, Select, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { MomentInput } from '../form/moment-input.tsx'
import { Pick } from '../form/pick.tsx'
import { SearchSelect } from '../form/search-select.tsx'
import { IconFilter, IconX } from '../icons/icons.ts'
import { capital } from '../parts/capital.ts'
import type { EventFilters } from './filters.ts'
import { methodChoices } from './method-words.ts'
import { kindWords } from './words.ts'

const verbNames: Record<string, string> = {
  create: 'Added',
  edit: 'Changed',
  delete: 'Deleted',
  use: 'Used',
  reveal: 'Revealed',
}

interface BarProps {
  readonly filters: EventFilters
  readonly onChange: (name: string, value: string | null) => void
}

/** Always shows the most used filters. Any other filter of the API can be added. */
export function FilterBar({ filters, onChange }: BarProps) {
  const held = (name: string) => filters[name] ?? null
  const [is_open, open] = useDisclosure(false)
  const count = Object.keys(filters).length
  return (
    <>
      <Button
        className="events-more"
        variant="default"
        fullWidth
        leftSection={<IconFilter size={14} />}
        aria-expanded={is_open}
        onClick={open.toggle}
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <div className="events-filters" data-open={is_open}>
        <SearchSelect
          label="Object"
          placeholder="Any"
          clearable
          value={held('object.type')}
          onChange={value => onChange('object.type', value)}
          data={objectTypes.map(type => ({ value: type, label: capital(kindWords[type] ?? type) }))}
        />
        <Select
          label="Action"
          placeholder="Any"
          clearable
          value={held('verb')}
          onChange={value => onChange('verb', value)}
          data={verbs.map(verb => ({ value: verb, label: verbNames[verb] ?? verb }))}
        />
        <Pick
          plural="members"
          label="Member"
          placeholder="Any"
          value={held('subject.member_id')}
          onChange={id => onChange('subject.member_id', id)}
        />
        <Pick
          plural="gadgets"
          label="Door"
          placeholder="Any"
          value={held('object.gadget_id')}
          onChange={id => onChange('object.gadget_id', id)}
        />
        <Select
          label="Method"
          placeholder="Any"
          clearable
          value={held('subject.access_method')}
          onChange={value => onChange('subject.access_method', value)}
          data={methodChoices}
        />
        <MomentInput
          label="From"
          description=""
          value={held('created_at:ge')}
          onChange={value => onChange('created_at:ge', value)}
        />
        <MomentInput
          label="Until"
          description=""
          value={held('created_at:lt')}
          onChange={value => onChange('created_at:lt', value)}
        />
        <MoreFilter onChange={onChange} />
        <OtherFilters filters={filters} onChange={onChange} />
      </div>
    </>
  )
}

const shown = new Set([
  'object.type',
  'verb',
  'subject.member_id',
  'object.gadget_id',
  'subject.access_method',
  'created_at:ge',
  'created_at:lt',
])

const comparisons = ['created_at', 'occurred_at', 'recorded_at'].flatMap(name =>
  ['gt', 'ge', 'lt', 'le'].map(sign => `${name}:${sign}`),
)
const others = [...Object.keys(resources.event.filters ?? {}), ...comparisons].filter(
  name => !shown.has(name),
)

function MoreFilter({ onChange }: { onChange: BarProps['onChange'] }) {
  const [name, setName] = useState<string | null>(null)
  const [value, setValue] = useState('')
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (!name || !value.trim()) return
        onChange(name, value.trim())
        setName(null)
        setValue('')
      }}
    >
      {name === null ? (
        <SearchSelect
          label="More filters"
          placeholder="Choose…"
          value={name}
          onChange={setName}
          data={others}
        />
      ) : (
        <TextInput
          label={name}
          placeholder={name.includes(':') ? '2026-11-14T09:30:00Z' : 'ID'}
          value={value}
          onChange={event => setValue(event.currentTarget.value)}
          autoFocus
          rightSection={
            <ActionIcon aria-label="Remove this filter" size="sm" onClick={() => setName(null)}>
              <IconX size={14} />
            </ActionIcon>
          }
        />
      )}
    </form>
  )
}

/** Shows the filters that have no input of their own, each with a button that removes it. */
function OtherFilters({ filters, onChange }: BarProps) {
  const given = Object.entries(filters).filter(([name]) => !shown.has(name))
  if (given.length === 0) return null
  return (
    <Group gap={6} className="events-chips">
      {given.map(([name, value]) => (
        <Button
          key={name}
          size="compact-xs"
          variant="light"
          rightSection={<IconX size={12} />}
          onClick={() => onChange(name, null)}
          aria-label={`Remove filter ${name}`}
        >
          {name} = {value}
        </Button>
      ))}
    </Group>
  )
}
