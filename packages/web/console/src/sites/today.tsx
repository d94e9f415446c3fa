import { Checkbox, Radio, Stack, Text, TextInput } from '@mantine/core'
import { kindWords, usualKinds } from '../calendars/kind-words.ts'
import { useList } from '../data/use-list.ts'
import { DateInput } from '../form/date-input.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { t } from '../language/t.ts'
import { formatDate } from '../parts/dates.ts'
import { LoadingLines } from '../parts/loading.tsx'
import { localDate } from '../parts/local-clock.ts'
import { Name } from '../parts/name.tsx'
import { showUndo } from '../parts/undo-notice.tsx'
import { hoursWords } from '../schedules/day-words.ts'
import { differentWords, type Times, TimesChoice, toNight, toTimes } from '../schedules/times-choice.tsx'
import { clockText } from '../schedules/times-text.ts'
import { useDifferentSite } from '../schedules/use-different-site.ts'
import { useZone } from '../schedules/use-site-days.ts'
import { nightEnd } from '../schedules/with-exception.ts'
import { type UsedSchedule, useSchedulesAt } from './schedules-at.ts'
import type { SiteWithCalendars } from './site.ts'
import { doorsOf, doorWords, timesOn } from './today-plan.ts'
import { useToday } from './use-today.ts'

interface TodayProps {
  readonly site: SiteWithCalendars
  readonly onClose: () => void
}

/** Makes today, or today and some days after, different at a site: after snow, or for an event. */
export function Today({ site, onClose }: TodayProps) {
  const { data: zone } = useZone(site.id)
  const { data } = useSchedulesAt(site.id, true)
  if (zone && data)
    return (
      <Form
        site={site}
        today={localDate(zone, Date.now())}
        schedules={data.schedules}
        has_more={data.has_more}
        onClose={onClose}
      />
    )
  return null
}

interface Values {
  /** A kind of day, or null for other times. */
  readonly kind: string | null
  readonly ends_on: string
  readonly name: string
  readonly times: Times
  /** The ids of the schedules that get other times. */
  readonly chosen: readonly string[]
}

interface FormProps extends TodayProps {
  readonly today: string
  readonly schedules: readonly UsedSchedule[]
  readonly has_more: boolean
}

const otherTimes = 'times'

function Form({ site, today, schedules, has_more, onClose }: FormProps) {
  const { callDay, setTimes } = useToday(site)
  const datesOf = ({ ends_on }: Values) => ({ starts_on: today, ends_on: ends_on > today ? ends_on : null })
  const kinds = [
    ...new Set([
      ...usualKinds,
      ...schedules.flatMap(({ special_days }) => special_days.map(({ kind }) => kind)),
    ]),
  ]
  const draft = useDraft<Values>(
    {
      kind: kinds.find(kind => schedules.some(schedule => timesOn(schedule, kind))) ?? kinds[0] ?? 'holiday',
      ends_on: today,
      name: '',
      times: toTimes([]),
      // A schedule of other sites would change there too, so the user decides about it.
      chosen: schedules.filter(({ elsewhere }) => elsewhere?.length === 0).map(({ id }) => id),
    },
    async values => {
      const { kind, name } = values
      const dates = datesOf(values)
      const day = { ...dates, name: name.trim() || null }
      const night = toNight(values.times)
      const { ranges, until } = typeof night === 'string' ? { ranges: [], until: 0 } : night
      const undo =
        kind !== null
          ? await callDay({ kind, ...day })
          : await setTimes(
              schedules.filter(({ id }) => values.chosen.includes(id)),
              { ...day, ranges: [...ranges] },
              until,
            )
      showUndo({
        of: `today-${site.id}`,
        message: `Today is different at ${site.name}`,
        undo,
        undone: 'Today is as usual again',
        failed: 'Could not undo',
      })
      onClose()
    },
    t('Could not change today'),
  )
  const { values, set } = draft
  const night = values.kind === null ? toNight(values.times) : undefined
  const next = typeof night === 'object' && night.until > 0 ? nightEnd(datesOf(values)) : undefined
  const chosen = schedules.filter(({ id }) => values.chosen.includes(id))
  const different = useDifferentSite(next, chosen, site.id)
  const is_empty =
    night !== undefined && (chosen.length === 0 || typeof night === 'string' || different !== null)
  return (
    <FormModal
      title="Today is different"
      opened
      onClose={onClose}
      draft={draft}
      action="Apply"
      is_empty={is_empty}
    >
      <Radio.Group
        aria-label="What today is"
        value={values.kind ?? otherTimes}
        onChange={value => set('kind', value === otherTimes ? null : value)}
      >
        <Stack gap={8}>
          {kinds.map(kind => (
            <Radio
              key={kind}
              value={kind}
              data-autofocus={kind === values.kind || undefined}
              label={`Like a ${kindWords(kind)}`}
              description={effectWords(schedules, kind)}
            />
          ))}
          <Radio
            value={otherTimes}
            label="Set the times"
            description="Closed, or open at times you paint, for the schedules you choose."
          />
        </Stack>
      </Radio.Group>
      {values.kind === null && (
        <>
          <TimesChoice
            value={values.times}
            onChange={times => set('times', times)}
            sayNight={until => nightWords(until, nightEnd(datesOf(values)))}
            problem={next && different ? differentWords(next, different) : undefined}
          />
          <Chosen schedules={schedules} value={values.chosen} onChange={ids => set('chosen', ids)} />
        </>
      )}
      <div className="pair">
        <DateInput
          label="Until"
          description={`Included. Today is ${formatDate(today, 'short')} there.`}
          min={today}
          required
          value={values.ends_on}
          error={draft.errorOf('ends_on')}
          onChange={date => set('ends_on', date)}
        />
        <TextInput
          label="Name"
          description={values.kind === null ? 'Guests do not read it' : 'Guests may read it'}
          placeholder="Snow day"
          maxLength={255}
          value={values.name}
          onChange={event => set('name', event.currentTarget.value)}
        />
      </div>
      <Following
        site_id={site.id}
        schedules={schedules.filter(schedule =>
          values.kind === null ? values.chosen.includes(schedule.id) : timesOn(schedule, values.kind),
        )}
        has_more={has_more}
      />
    </FormModal>
  )
}

function nightWords(until: number, next: string): string {
  const date = formatDate(next, 'medium')
  return t(
    `Goes on until ${clockText(until)} on the day after. ${date} becomes an exception too, and keeps its other times`,
  )
}

/** Returns what a kind does: `Office hours closed. Cleaning as usual.` */
function effectWords(schedules: readonly UsedSchedule[], kind: string): string {
  const words = schedules.slice(0, 4).map(schedule => {
    const times = timesOn(schedule, kind)
    return `${schedule.name}: ${times ? hoursWords(times) : t('as usual')}`
  })
  const more = schedules.length > 4 ? [t(`${schedules.length - 4} more`)] : []
  return [...words, ...more].join(' · ') || t('No schedule is used here.')
}

interface ChosenProps {
  readonly schedules: readonly UsedSchedule[]
  readonly value: readonly string[]
  readonly onChange: (ids: string[]) => void
}

function Chosen({ schedules, value, onChange }: ChosenProps) {
  if (schedules.length === 0) return null
  return (
    <Checkbox.Group label="Schedules" value={[...value]} onChange={onChange}>
      <Stack gap={8} mt={6}>
        {schedules.map(({ id, name, elsewhere }) => (
          <Checkbox
            key={id}
            value={id}
            label={<Name>{name}</Name>}
            description={
              elsewhere === null
                ? 'Used at every site, which would change too'
                : elsewhere.length > 0 && `Would also change at ${elsewhere.join(', ')}`
            }
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

interface FollowingProps {
  readonly site_id: string
  readonly schedules: readonly UsedSchedule[]
  readonly has_more: boolean
}

/** Says which doors follow. */
function Following({ site_id, schedules, has_more }: FollowingProps) {
  const doors = useList('gadgets', { site_id, limit: 100, sort: 'name:asc' })
  if (doors.is_loading) return <LoadingLines lines={1} />
  const found = doorsOf(schedules, doors.items)
  return (
    <Text size="sm" role="status">
      {found.length === 0 ? (
        'No door follows.'
      ) : (
        <>
          {found.length === doors.items.length && found.length > 1 ? 'All doors follow' : 'Doors that follow'}
          : <bdi>{doorWords(found)}</bdi>.
        </>
      )}
      {has_more && ' Only the first 300 groups were looked at.'}
    </Text>
  )
}
