import { Select } from '@mantine/core'
import { useNow } from '../parts/time.tsx'
import { clockIn } from './local-time.tsx'

const zones = Intl.supportedValuesOf('timeZone')

interface ZoneProps {
  readonly value: string
  readonly onChange: (zone: string) => void
  readonly label?: string
  readonly description?: string
  readonly error?: string | undefined
}

/** A time zone, found by its name, with what the clocks show there now. */
export function ZonePick({ value, onChange, label, description, error }: ZoneProps) {
  const now = useNow(30_000)
  const known = zones.includes(value) ? zones : [value, ...zones]
  return (
    <Select
      label={label ?? 'Time zone'}
      description={
        description ?? `There it is ${clockIn(value, now) ?? 'an unknown time'}; schedules count in it`
      }
      searchable
      required={label === undefined}
      allowDeselect={false}
      limit={40}
      data={known.map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      value={value}
      onChange={zone => zone && onChange(zone)}
      renderOption={({ option }) => (
        <span className="sites-zone">
          {option.label} <span className="soft">{clockIn(option.value, now)}</span>
        </span>
      )}
      error={error}
      nothingFoundMessage="No such zone"
    />
  )
}
