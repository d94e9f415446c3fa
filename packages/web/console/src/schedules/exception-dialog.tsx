import { Button, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { DateInput } from '../form/date-input.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { IconTrash } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { daysBetween, formatDate, formatDates } from '../parts/dates.ts'
import { hoursWords } from './day-words.ts'
import { type Exception, exceptionOn, lastDate } from './schedule.ts'
import type { Range } from './slots.ts'
import { differentWords, type Times, TimesChoice, toNight, toTimes } from './times-choice.tsx'
import { clockText, joinMorning, type Night } from './times-text.ts'
import { useDifferentSite } from './use-different-site.ts'
import { type Period, useSiteDays } from './use-site-days.ts'
import type { AtSite } from './use-site-year.ts'
import { nightEnd, usualTimes, withNight } from './with-exception.ts'

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
  readonly at: AtSite
  /** Called with the exception, and with all that there are then. */
  readonly onSave: (exception: Exception, all: readonly Exception[]) => void
  /** Undefined for a new one. */
  readonly onRemove: (() => void) | undefined
  readonly onClose: () => void
}

/** Sets the times of a schedule on a date, or on some dates. */
export function ExceptionDialog({ exception, others, at, onSave, onRemove, onClose }: DialogProps) {
  const draft = useDraft<Values>(toValues(exception), async values => {
    const added = toException(values, night)
    onSave(added, withNight(others, added, night?.until ?? 0, after ?? []))
    onClose()
  })
  const { values, set } = draft
  const problem = problemOf(values, others)
  const parsed = toNight(values.times)
  const night = typeof parsed === 'string' ? undefined : parsed
  const next = values.starts_on && night?.until ? nightEnd(toException(values, night)) : undefined
  const after = useTimesOn(next, others, at)
  const different = useDifferentSite(next, [{ ...at.values, exceptions: others }], at.site_id)
  const sayNight = (until: number) => after && next && nightWords(until, next, joinMorning(after, until))
  const is_new = typeof exception === 'string'
  return (
    <FormModal
      title={is_new ? 'New exception' : 'Edit exception'}
      opened
      onClose={onClose}
      draft={draft}
      action={is_new ? 'Set exception' : 'Change exception'}
      is_empty={problem !== undefined || !night || (night.until > 0 && (!after || different !== null))}
    >
      <TimesChoice
        value={values.times}
        onChange={times => set('times', times)}
        sayNight={sayNight}
        problem={next && different ? differentWords(next, different) : undefined}
      />
      <div className="pair">
        <DateInput label="From" required value={values.starts_on} onChange={date => set('starts_on', date)} />
        <DateInput
          label="Until"
          description=""
          min={values.starts_on}
          value={values.ends_on}
          error={problem}
          placeholder="The same day"
          onChange={date => set('ends_on', date)}
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

function toException({ starts_on, ends_on, name }: Values, night: Night | undefined): Exception {
  return {
    starts_on,
    ends_on: ends_on && ends_on !== starts_on ? ends_on : null,
    name: name.trim() || null,
    ranges: [...(night?.ranges ?? [])],
  }
}

/** Returns the times of the date after a night without it. Undefined while its calendars are loading. */
function useTimesOn(date: string | undefined, others: readonly Exception[], { site_id, values }: AtSite) {
  const period = useMemo<Period | undefined>(() => (date ? { from: date, to: date } : undefined), [date])
  const { data } = useSiteDays(site_id, period)
  if (!date || (site_id && !data)) return undefined
  const kinds = data?.data.flatMap(({ kinds }) => kinds) ?? []
  return exceptionOn(others, date)?.ranges ?? usualTimes(values, date, kinds)
}

function nightWords(until: number, next: string, ranges: readonly Range[]): string {
  const date = formatDate(next, 'medium')
  return t(
    `Goes on until ${clockText(until)} on the day after. ${date} becomes an exception too: ${hoursWords(ranges)}`,
  )
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
