import { Switch, TextInput } from '@mantine/core'
import { useRefresh } from '../data/use-refresh.ts'
import { DateInput } from '../form/date-input.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import type { CalendarDay } from './calendar.ts'
import { KindInput } from './kind-input.tsx'
import { usualKinds } from './kind-words.ts'

interface EditDayProps {
  readonly calendar_id: string
  /** Undefined for a new day. */
  readonly day: CalendarDay | undefined
  readonly onClose: () => void
}

/** Adds or edits a day, or a stretch of days. */
export function EditDay({ calendar_id, day, onClose }: EditDayProps) {
  const { client } = useApi()
  const refresh = useRefresh()
  const draft = useDraft(
    {
      name: day?.name ?? '',
      kind: day?.kind ?? 'holiday',
      starts_on: day?.starts_on ?? '',
      ends_on: day?.ends_on ?? '',
      is_yearly: day?.recurrence === 'yearly',
      is_public: day?.is_public ?? true,
    },
    async ({ name, kind, starts_on, ends_on, is_yearly, is_public }) => {
      const body = {
        name: name.trim() || null,
        kind,
        starts_on,
        ends_on: ends_on && ends_on !== starts_on ? ends_on : null,
        recurrence: is_yearly ? ('yearly' as const) : ('none' as const),
        is_public,
      }
      if (day) await client.calendar_days.edit(calendar_id, day.id, body)
      else await client.calendar_days.create(calendar_id, body)
      refresh('calendars', 'days')
      onClose()
    },
    t('Could not save the day'),
  )
  const { values, set, errorOf } = draft
  return (
    <FormModal
      title={day ? 'Edit day' : 'New day'}
      opened
      onClose={onClose}
      draft={draft}
      action={day ? 'Save' : 'Add day'}
    >
      <TextInput
        label="Name"
        placeholder="Christmas Day"
        maxLength={255}
        data-autofocus
        value={values.name}
        error={errorOf('name')}
        onChange={event => set('name', event.currentTarget.value)}
      />
      <div className="pair">
        <DateInput
          label="From"
          required
          value={values.starts_on}
          error={errorOf('starts_on')}
          onChange={date => set('starts_on', date)}
        />
        <DateInput
          label="Until"
          min={values.starts_on}
          value={values.ends_on}
          error={errorOf('ends_on')}
          onChange={date => set('ends_on', date)}
        />
      </div>
      <KindInput
        kinds={usualKinds}
        value={values.kind}
        error={errorOf('kind')}
        onChange={kind => set('kind', kind)}
      />
      <Switch
        label="Every year"
        description="On the same month and day. 29 February comes in leap years only."
        checked={values.is_yearly}
        onChange={event => set('is_yearly', event.currentTarget.checked)}
      />
      <Switch
        label="Guests may read its name"
        description="Otherwise they read only that it is closed today."
        checked={values.is_public}
        onChange={event => set('is_public', event.currentTarget.checked)}
      />
    </FormModal>
  )
}
