import { SearchSelect } from '../form/search-select.tsx'
import { t } from '../language/t.ts'
import { countryName } from './calendar.ts'
import { usePlaces } from './use-places.ts'

interface PlaceProps {
  readonly country: string | null
  readonly region: string | null
  readonly error: string | undefined
  readonly onChange: (country: string | null, region: string | null, region_name: string | null) => void
}

/** Picks a country of the built-in tables and one of its regions. */
export function PlacePick({ country, region, error, onChange }: PlaceProps) {
  const { data: places = {} } = usePlaces()
  const regions = Object.entries((country && places[country]) || {})
  const nameOf = (code: string | null) => regions.find(([held]) => held === code)?.[1] ?? null
  const countries = Object.keys(places).map(code => ({ value: code, label: countryName(code) }))
  return (
    <>
      <SearchSelect
        label="Country"
        placeholder="Search…"
        required
        data={countries.sort((a, b) => a.label.localeCompare(b.label))}
        value={country}
        error={error}
        onChange={code => onChange(code, null, null)}
        nothingFoundMessage="No such country in the tables"
      />
      <SearchSelect
        label="Region"
        placeholder={regions.length === 0 ? t('None', 'region') : 'Whole country'}
        disabled={regions.length === 0}
        clearable
        data={regions.map(([code, name]) => ({ value: code, label: name }))}
        value={region}
        onChange={code => onChange(country, code, nameOf(code))}
        nothingFoundMessage="No such region in the tables"
      />
    </>
  )
}
