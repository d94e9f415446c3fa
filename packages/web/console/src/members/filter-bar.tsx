import { Select } from '@mantine/core'
import { Pick } from '../form/pick.tsx'
import { spanChoices, spanWords } from '../lists/days-filter.ts'
import { FilterBar } from '../lists/filter-bar.tsx'
import { type MemberFilters, memberShows, memberSorts, sortOf } from './filters.ts'

interface FilterBarProps {
  readonly filters: MemberFilters
  readonly onChange: (name: keyof MemberFilters, value: string | null) => void
  /** Says in which zone the dates of the list are. */
  readonly dates_note: string | undefined
}

export function MemberFilterBar({ filters, onChange, dates_note }: FilterBarProps) {
  const bind = (name: Exclude<keyof MemberFilters, 'show'>) => ({
    value: filters[name],
    onChange: (value: string | null) => onChange(name, value),
  })
  const count = Object.entries(filters).filter(([name, value]) => value && name !== 'sort' && value !== 'all')
  const notes = [spanWords(filters.when ?? undefined), dates_note].filter(Boolean)
  return (
    <FilterBar count={count.length} note={notes.join(' · ') || undefined}>
      <Select
        label="Show"
        allowDeselect={false}
        data={Object.entries(memberShows).map(([value, label]) => ({ value, label }))}
        value={filters.show}
        onChange={value => onChange('show', value === 'all' ? null : value)}
      />
      <Pick plural="member_groups" label="Group" placeholder="Any" {...bind('member_group_id')} />
      <Pick plural="sites" label="Site" placeholder="Any" {...bind('site_id')} />
      <Pick plural="tags" label="Tag" placeholder="Any" {...bind('tag_ids')} />
      <Select label="Added" placeholder="Any time" clearable data={spanChoices} {...bind('when')} />
      <Select
        label="Order"
        allowDeselect={false}
        data={memberSorts.map(([value, label]) => ({ value, label }))}
        {...bind('sort')}
        value={sortOf(filters)}
      />
    </FilterBar>
  )
}
