import type { ComboboxItem, OptionsFilter } from '@mantine/core'
import { SearchSelect } from '../form/search-select.tsx'
import { useNow } from '../parts/time.tsx'
import { clockOf, useZones } from './use-zones.ts'

interface ZoneProps {
  readonly value: string
  readonly onChange: (zone: string) => void
  readonly label?: string
  readonly description?: string
  readonly error?: string | undefined
}

/** Picks a time zone by name, and shows its current local time. */
export function ZonePick({ value, onChange, label, description, error }: ZoneProps) {
  const now = useNow(30_000)
  const { data: zones } = useZones()
  const names = [...(zones?.keys() ?? [])]
  const clockIn = (name: string) => {
    const zone = zones?.get(name)
    return zone && clockOf(zone, now)
  }
  const clock = clockIn(value)
  return (
    <SearchSelect
      label={label ?? 'Time zone'}
      description={description ?? `${clock ? `It is ${clock} there now. ` : ''}Schedules use this time zone.`}
      required={label === undefined}
      allowDeselect={false}
      limit={40}
      filter={rankZones}
      data={(names.includes(value) ? names : [value, ...names]).map(zone => ({
        value: zone,
        label: zone.replaceAll('_', ' '),
      }))}
      value={value}
      onChange={zone => zone && onChange(zone)}
      renderOption={({ option }) => (
        <span className="sites-zone">
          {option.label} <span className="soft">{clockIn(option.value)}</span>
        </span>
      )}
      error={error}
      nothingFoundMessage="No matching time zones"
    />
  )
}

/**
 * Ranks places whose name starts with the search text above those that only contain it: Lisbon before
 * Indianapolis.
 */
const rankZones: OptionsFilter = ({ options, search }) => {
  const wanted = search.trim().toLowerCase().replaceAll(' ', '_')
  const ranked = (options as ComboboxItem[]).map(option => ({ option, rank: rankOf(option.value, wanted) }))
  return ranked
    .filter(({ rank }) => rank < ranks.none)
    .sort((a, b) => a.rank - b.rank)
    .map(({ option }) => option)
}

const ranks = { city: 0, region: 1, word: 2, inside: 3, none: 4 } as const

function rankOf(zone: string, wanted: string): number {
  const parts = zone.toLowerCase().split('/')
  if (parts.at(-1)?.startsWith(wanted)) return ranks.city
  if (parts.some(part => part.startsWith(wanted))) return ranks.region
  if (parts.some(part => part.includes(`_${wanted}`))) return ranks.word
  return zone.toLowerCase().includes(wanted) ? ranks.inside : ranks.none
}
