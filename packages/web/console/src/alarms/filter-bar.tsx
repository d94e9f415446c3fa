import { Select } from '@mantine/core'
import { Pick } from '../form/pick.tsx'
import { SearchSelect } from '../form/search-select.tsx'
import { spanChoices, spanWords } from '../lists/days-filter.ts'
import { bindFilter, FilterBar, type Filters } from '../lists/filter-bar.tsx'
import { severities, severityNames } from './alarm.ts'
import { alarmTitles } from './alarm-words.ts'
import type { AlarmFilters } from './filters.ts'

interface FilterBarProps {
  readonly filters: AlarmFilters
  readonly onChange: (name: keyof AlarmFilters, value: string | null) => void
}

export function AlarmFilterBar({ filters, onChange }: FilterBarProps) {
  const bind = (name: keyof AlarmFilters) =>
    bindFilter(filters as Filters, name, (_, value) => onChange(name, value))
  return (
    <FilterBar count={Object.keys(filters).length} note={spanWords(filters.when)}>
      <Select
        label="Severity"
        clearable
        data={severities.map(value => ({ value, label: severityNames[value] }))}
        {...bind('severity')}
      />
      <SearchSelect
        label="Type"
        clearable
        data={Object.entries(alarmTitles).map(([value, label]) => ({ value, label }))}
        {...bind('type')}
      />
      <Select label="Began" clearable data={spanChoices} {...bind('when')} placeholder="Any time" />
      <Pick plural="sites" label="Site" {...bind('site_id')} />
      <Pick plural="gadgets" label="Door" {...bind('gadget_id')} />
      <Pick plural="devices" label="Device" {...bind('device_id')} />
      <Pick plural="alarm_rules" label="Rule" {...bind('alarm_rule_ids')} />
    </FilterBar>
  )
}
