import { Button, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Pick } from '../form/pick.tsx'
import { SearchSelect } from '../form/search-select.tsx'
import { IconFilter } from '../icons/icons.ts'
import { severities, severityNames } from './alarm.ts'
import { alarmTitles } from './alarm-words.ts'
import type { AlarmFilters } from './filters.ts'

interface FilterBarProps {
  readonly filters: AlarmFilters
  readonly onChange: (name: keyof AlarmFilters, value: string | null) => void
}

/** On a phone, the filters are behind a button. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const [is_open, open] = useDisclosure(false)
  const count = Object.keys(filters).length
  const bind = (name: keyof AlarmFilters) => ({
    placeholder: 'Any',
    value: filters[name] ?? null,
    onChange: (value: string | null) => onChange(name, value),
  })
  return (
    <>
      <Button
        className="alarms-more"
        variant="default"
        fullWidth
        leftSection={<IconFilter size={14} />}
        aria-expanded={is_open}
        onClick={open.toggle}
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <div className="alarms-filters" data-open={is_open}>
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
        <Pick plural="sites" label="Site" {...bind('site_id')} />
        <Pick plural="gadgets" label="Door" {...bind('gadget_id')} />
        <Pick plural="devices" label="Device" {...bind('device_id')} />
        <Pick plural="alarm_rules" label="Rule" {...bind('alarm_rule_ids')} />
      </div>
    </>
  )
}
