import { Button, TextInput } from '@mantine/core'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { IconTrash } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { daysBetween, formatDates } from '../parts/dates.ts'
import { type Exception, lastDate } from './schedule.ts'
import { type Times, TimesChoice, toRanges, toTimes } from './times-choice.tsx'

interface Values {
  readonly starts_on: string
  /** Empty: the same day. */
  readonly ends_on: string
  readonly name: string
  readonly times: Times
}

interface DialogProps {
  /** The exception to edit, or the date of a new one. */
  readonly exception: Exception | string
  /** The other exceptions of the schedule. */
  readonly others: readonly Exception[]
  readonly onSave: (exception: Exception) => void
  /** Undefined for a new one. */
  readonly onRemove: (() => void) | undefined
  readonly onClose: () => void
}

/** Sets the times of a schedule on a date, or on some dates. */
export function ExceptionDialog({ exception, others, onSave, onRemove, onClose }: DialogProps) {
  const draft = useDraft<Values>(toValues(exception), async values => {
    onSave(toException(values))
    onClose()
  })
  const { values, set } = draft
  const problem = problemOf(values, others)
  const is_new = typeof exception === 'string'
  return (
    <FormModal
      title={is_new ? 'New exception' : 'Edit exception'}
      opened
      onClose={onClose}
      draft={draft}
      action={is_new ? 'Set exception' : 'Change exception'}
      is_empty={problem !== undefined || typeof toRanges(values.times) === 'string'}
    >
      <TimesChoice value={values.times} onChange={times => set('times', times)} />
      <div className="pair">
        <TextInput
          type="date"
          label="From"
          required
          value={values.starts_on}
          onChange={event => set('starts_on', event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label="Until"
          description=""
          min={values.starts_on}
          value={values.ends_on}
          error={problem}
          placeholder="The same day"
          onChange={event => set('ends_on', event.currentTarget.value)}
        />
      </div>
      <TextInput
        label="Name"
        placeholder="Christmas Eve"
        maxLength={255}
        value={values.name}
        onChange={event => set('name', event.currentTarget.value)}
      />
      {onRemove && (
        <Button
          color="red"
          variant="subtle"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconTrash size={14} />}
          onClick={() => {
            onRemove()
            onClose()
          }}
        >
          Remove exception
        </Button>
      )}
    </FormModal>
  )
}

function toValues(given: Exception | string): Values {
  if (typeof given === 'string') return { starts_on: given, ends_on: '', name: '', times: toTimes([]) }
  const { starts_on, ends_on, name, ranges } = given
  return { starts_on, ends_on: ends_on ?? '', name: name ?? '', times: toTimes(ranges) }
}

function toException({ starts_on, ends_on, name, times }: Values): Exception {
  const ranges = toRanges(times)
  return {
    starts_on,
    ends_on: ends_on && ends_on !== starts_on ? ends_on : null,
    name: name.trim() || null,
    ranges: typeof ranges === 'string' ? [] : [...ranges],
  }
}

const longest = 366

function problemOf({ starts_on, ends_on }: Values, others: readonly Exception[]): string | undefined {
  if (!starts_on) return t('Choose the first date')
  const last = ends_on || starts_on
  if (last < starts_on) return t('Must not be before the first date')
  if (daysBetween(starts_on, last) >= longest) return t(`At most ${longest} days`)
  const other = others.find(other => other.starts_on <= last && starts_on <= lastDate(other))
  return other && t(`Overlaps the exception on ${formatDates(other.starts_on, other.ends_on)}`)
}
