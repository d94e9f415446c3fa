import { Input, SegmentedControl, Text } from '@mantine/core'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { useApi } from '../session/use-api.ts'
import type { Calendar } from './calendar.ts'
import { noSource, type Origin, SourceFields, type SourceValues, sourceOf } from './source-fields.tsx'

interface Values extends SourceValues {
  readonly name: string
}

function toValues({ name, source }: Calendar): Values {
  if (!source) return { name, ...noSource, origin: 'hand' }
  if (source.type === 'ics') return { name, ...noSource, origin: 'ics' }
  const { country = null, region, kinds } = source
  return {
    name,
    ...noSource,
    origin: 'country',
    country,
    region: region ?? null,
    kinds: kinds ?? noSource.kinds,
  }
}

/** Edits the name of a calendar and where its days come from. */
export function EditCalendar({ calendar, onClose }: { calendar: Calendar; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const initial = toValues(calendar)
  const draft = useDraft(initial, async values => {
    const source = sourceOf(values)
    // The service does not tell the address of a feed, so an empty one means the same as before.
    const is_same = JSON.stringify({ ...values, name: '' }) === JSON.stringify({ ...initial, name: '' })
    await client.calendars.edit(calendar.id, { name: values.name, ...(!is_same && { source }) })
    refresh('calendars', 'days')
    onClose()
  })
  const { values, set } = draft
  const frees = initial.origin !== 'hand' && values.origin === 'hand'
  const replaces = initial.origin !== 'hand' && !frees && sourceOf(values) !== null && values !== draft.base
  return (
    <FormModal title="Edit calendar" opened onClose={onClose} draft={draft} action="Save">
      <DeclaredField kind="calendar" name="name" label="Name" draft={draft} autoFocus />
      <Input.Wrapper label="Days come from">
        <SegmentedControl
          fullWidth
          aria-label="Days come from"
          value={values.origin}
          onChange={value => set('origin', value as Origin)}
          data={[
            { value: 'country', label: 'Country' },
            { value: 'ics', label: 'Feed' },
            { value: 'hand', label: 'By hand' },
          ]}
        />
      </Input.Wrapper>
      <SourceFields draft={draft} />
      {frees && (
        <Text size="sm" c="dimmed">
          The days that it has now stay, and can then be edited.
        </Text>
      )}
      {replaces && JSON.stringify(sourceOf(values)) !== JSON.stringify(sourceOf(initial)) && (
        <Text size="sm" c="dimmed">
          The days of the new source replace those of the old one.
        </Text>
      )}
    </FormModal>
  )
}
