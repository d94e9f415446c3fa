import type { CreateOf, Resources } from '@gatehouse-access/api'
import { Checkbox, Group, TextInput } from '@mantine/core'
import type { Draft } from '../form/draft.ts'
import { t } from '../language/t.ts'
import { PlacePick } from './place-pick.tsx'

export type Origin = 'country' | 'ics' | 'file' | 'hand'
type Source = NonNullable<CreateOf<Resources['calendar']>['source']>
type HolidayKind = Extract<Source, { type: 'country' }>['kinds'][number]

export interface SourceValues {
  readonly origin: Origin
  readonly url: string
  readonly country: string | null
  readonly region: string | null
  readonly region_name: string | null
  readonly kinds: readonly HolidayKind[]
}

export const noSource: SourceValues = {
  origin: 'country',
  url: '',
  country: null,
  region: null,
  region_name: null,
  kinds: ['public'],
}

/** Returns the source, or null if the days are kept by hand. */
export function sourceOf({ origin, url, country, region, kinds }: SourceValues): Source | null {
  if (origin === 'ics') return { type: 'ics', url }
  if (origin !== 'country') return null
  return { type: 'country', country: country ?? '', region, kinds: [...kinds] }
}

const kindNames: readonly (readonly [HolidayKind, string])[] = [
  ['public', t('Public holidays')],
  ['bank', t('Bank holidays')],
  ['school', t('School holidays')],
  ['optional', t('Optional holidays')],
  ['observance', t('Observances')],
]

/** The fields of a feed, or of a country. */
export function SourceFields<V extends SourceValues>({ draft }: { draft: Draft<V> }) {
  const { values } = draft
  const set = <K extends keyof SourceValues>(name: K, value: SourceValues[K]) =>
    draft.set(name, value as V[K])
  if (values.origin === 'ics')
    return (
      <TextInput
        type="url"
        label="Address of the feed"
        description="An .ics file, read every day. The address is stored encrypted and not shown again."
        placeholder="https://calendar.example.com/holidays.ics"
        required
        data-autofocus
        value={values.url}
        error={draft.errorOf('source.url')}
        onChange={event => set('url', event.currentTarget.value.trim())}
      />
    )
  if (values.origin !== 'country') return null
  return (
    <>
      <PlacePick
        country={values.country}
        region={values.region}
        error={draft.errorOf('source.country') ?? draft.errorOf('source.region')}
        onChange={(country, region, region_name) => {
          set('country', country)
          set('region', region)
          set('region_name', region_name)
        }}
      />
      <Checkbox.Group
        label="Holidays"
        value={[...values.kinds]}
        error={draft.errorOf('source.kinds')}
        onChange={kinds => set('kinds', kinds as HolidayKind[])}
      >
        <Group gap="md" mt={6}>
          {kindNames.map(([kind, name]) => (
            <Checkbox key={kind} value={kind} label={name} />
          ))}
        </Group>
      </Checkbox.Group>
    </>
  )
}
