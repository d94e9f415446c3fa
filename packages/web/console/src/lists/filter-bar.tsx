import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { IconFilter } from '../icons/icons.ts'

interface FilterBarProps {
  /** How many filters are set. */
  readonly count: number
  /** Says what a filter means, such as the dates of last week. */
  readonly note?: string | undefined
  readonly children: ReactNode
}

/** The filters of a list. On a phone, they are behind a button. */
export function FilterBar({ count, note, children }: FilterBarProps) {
  const [is_open, open] = useDisclosure(false)
  return (
    <>
      <Button
        className="filters-more"
        variant="default"
        fullWidth
        leftSection={<IconFilter size={14} />}
        aria-expanded={is_open}
        onClick={open.toggle}
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <div className="filters" data-open={is_open}>
        {children}
        {note && <p className="filters-note">{note}</p>}
      </div>
    </>
  )
}

/** Filters by their API names, which are also those of the address. */
export type Filters = Readonly<Record<string, string>>

/** Returns what an input of a filter needs: its value, and how to change it. */
export function bindFilter(
  filters: Filters,
  name: string,
  onChange: (name: string, value: string | null) => void,
) {
  return {
    placeholder: 'Any',
    value: filters[name] ?? null,
    onChange: (value: string | null) => onChange(name, value),
  }
}
