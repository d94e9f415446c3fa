import { Input, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useLocation } from 'wouter'
import type { ItemOf } from '../data/collections.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import { countryName } from './calendar.ts'
import { noSource, type Origin, SourceFields, type SourceValues, sourceOf } from './source-fields.tsx'

interface NewCalendarProps {
  /** The site that is to observe the calendar. */
  readonly site?: ItemOf<'sites'>
  readonly onClose: () => void
}

interface Values extends SourceValues {
  readonly name: string
}

const origins: readonly { readonly value: Origin; readonly label: string }[] = [
  { value: 'country', label: 'Country' },
  { value: 'ics', label: 'Feed' },
  { value: 'file', label: 'File' },
  { value: 'hand', label: 'By hand' },
]

/** Creates a calendar from the holidays of a country, from a feed, from a file or by hand. */
export function NewCalendar({ site, onClose }: NewCalendarProps) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const draft = useDraft<Values>(
    { name: '', ...noSource },
    async values => {
      const source = sourceOf(values)
      const { id } = await client.calendars.create({
        name: values.name || suggestion(values),
        ...(source && { source }),
      })
      if (site) await client.sites.edit(site.id, { calendar_ids: [...site.calendar_ids, id] })
      refresh('calendars', 'sites', 'days')
      if (site && source) onClose()
      else go(`/calendars/${id}${values.origin === 'file' ? '?import' : ''}`, { replace: true })
    },
    t('Could not create the calendar'),
  )
  const { values, set } = draft
  return (
    <FormModal title="New calendar" opened onClose={onClose} draft={draft} action="Create calendar">
      <Input.Wrapper label="Days come from">
        <SegmentedControl
          fullWidth
          aria-label="Days come from"
          value={values.origin}
          onChange={value => set('origin', value as Origin)}
          data={[...origins]}
        />
      </Input.Wrapper>
      <SourceFields draft={draft} />
      {values.origin === 'file' && (
        <Text size="sm" c="dimmed">
          You choose the .ics file next, and see what it would change before it is imported.
        </Text>
      )}
      <TextInput
        label="Name"
        required={suggestion(values) === ''}
        placeholder={suggestion(values) || 'Days off'}
        maxLength={255}
        value={values.name}
        error={draft.errorOf('name')}
        onChange={event => set('name', event.currentTarget.value)}
      />
    </FormModal>
  )
}

/** The country names the calendar if the user does not. */
function suggestion({ origin, country, region_name }: Values): string {
  if (origin !== 'country' || !country) return ''
  return t(`Holidays of ${region_name ?? countryName(country)}`)
}
