import { Select } from '@mantine/core'
import { spanChoices, spanWords } from '../lists/days-filter.ts'
import { FilterBar } from '../lists/filter-bar.tsx'
import { cardShows, cardSorts } from './filters.ts'

interface FilterBarProps {
  readonly params: URLSearchParams
  readonly sort: string
  readonly onChange: (name: string, value: string | null) => void
}

export function CardFilterBar({ params, sort, onChange }: FilterBarProps) {
  const when = params.get('when')
  const show = params.get('show')
  return (
    <FilterBar count={[when, show].filter(Boolean).length} note={spanWords(when ?? undefined)}>
      <Select
        label="Show"
        allowDeselect={false}
        data={Object.entries(cardShows).map(([value, label]) => ({ value, label }))}
        value={show ?? 'all'}
        onChange={value => onChange('show', value === 'all' ? null : value)}
      />
      <Select
        label="Added"
        placeholder="Any time"
        clearable
        data={spanChoices}
        value={when}
        onChange={value => onChange('when', value)}
      />
      <Select
        label="Order"
        allowDeselect={false}
        data={cardSorts.map(([value, label]) => ({ value, label }))}
        value={sort}
        onChange={value => onChange('sort', value)}
      />
    </FilterBar>
  )
}
