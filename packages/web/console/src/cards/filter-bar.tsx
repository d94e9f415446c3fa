import { Select } from '@mantine/core'
import { Pick } from '../form/pick.tsx'
import { t } from '../language/t.ts'
import { spanChoices, spanWords } from '../lists/days-filter.ts'
import { bindFilter, FilterBar } from '../lists/filter-bar.tsx'
import { cardShows, cardSorts, holderFilters } from './filters.ts'

interface FilterBarProps {
  readonly params: URLSearchParams
  readonly sort: string
  readonly onChange: (name: string, value: string | null) => void
}

export function CardFilterBar({ params, sort, onChange }: FilterBarProps) {
  const show = params.get('show')
  const when = params.get('when')
  // A search without a choice finds what is lost, too.
  const shows = params.get('q') && !show ? { ...cardShows, all: t('All', 'cards') } : cardShows
  const set = ['show', 'when', ...holderFilters].filter(name => params.get(name))
  const bind = (name: string) => bindFilter(Object.fromEntries(params), name, onChange)
  return (
    <FilterBar count={set.length} note={spanWords(when ?? undefined)}>
      <Select
        label="Show"
        allowDeselect={false}
        data={Object.entries(shows).map(([value, label]) => ({ value, label }))}
        value={show ?? 'all'}
        onChange={value => onChange('show', value === 'all' ? null : value)}
      />
      <Pick plural="member_groups" label="Group" {...bind('member_group_id')} />
      <Pick plural="sites" label="Site" {...bind('site_id')} />
      <Pick plural="tags" label="Tag" {...bind('tag_id')} />
      <Select
        label={t('Added', 'card')}
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
