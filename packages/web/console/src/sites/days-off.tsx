import { ActionIcon, Alert, Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Calendar } from '../calendars/calendar.ts'
import { kindWords } from '../calendars/kind-words.ts'
import { NewCalendar } from '../calendars/new-calendar.tsx'
import { Source } from '../calendars/source.tsx'
import { useList } from '../data/use-list.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { IconAlertTriangle, IconCalendarEvent, IconPlus, IconTrash } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { NameLink } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { showUndo } from '../parts/undo-notice.tsx'
import { useApi } from '../session/use-api.ts'
import { ComingDays, useComingDays } from './coming-days.tsx'
import { ignoredKinds, useSchedulesAt } from './schedules-at.ts'
import type { SiteWithCalendars } from './site.ts'

const most = 10

/** The calendars that a site observes, their days to come, and which schedules ignore them. */
export function DaysOff({ site }: { site: SiteWithCalendars }) {
  const { client, may_write } = useApi()
  const refresh = useRefresh()
  const [is_adding, adding] = useDisclosure(false)
  const calendars = site.calendars.filter(({ is_deleted }) => !is_deleted)
  const observe = async (calendar_ids: readonly string[], message: string) => {
    const store = async (ids: readonly string[]) => {
      await client.sites.edit(site.id, { calendar_ids: [...ids] })
      refresh('sites', 'days')
    }
    try {
      await store(calendar_ids)
      showUndo({
        of: `calendars-${site.id}`,
        message: <bdi>{message}</bdi>,
        undo: () => store(site.calendar_ids),
        undone: 'Undone',
        failed: 'Could not undo',
      })
    } catch (error) {
      showFailure(error, t('Could not change the calendars'))
    }
  }
  const can_write = may_write && !site.is_deleted
  return (
    <Section
      title="Days off"
      about="Calendars that this site observes. Schedules say what happens on their days."
      flush
      actions={
        can_write &&
        calendars.length < most && (
          <AddMenu
            held={site.calendar_ids}
            onPick={({ id, name }) => void observe([...site.calendar_ids, id], t(`${name} added`))}
            onNew={adding.open}
          />
        )
      }
    >
      {calendars.length === 0 && (
        <p className="section-note soft">None. Add the holidays of a country, a feed or your own days.</p>
      )}
      <ul className="sites-calendars">
        {calendars.map(calendar => (
          <li key={calendar.id}>
            <IconCalendarEvent size={17} aria-hidden />
            <span className="sites-calendar">
              <NameLink href={`/calendars/${calendar.id}`}>{calendar.name}</NameLink>
              <span className="soft">
                <Source source={calendar.source} />
                {calendar.refresh_error && <span className="warn-ink"> · could not be refreshed</span>}
              </span>
            </span>
            {can_write && (
              <ActionIcon
                aria-label={`Stop observing ${calendar.name}`}
                onClick={() =>
                  void observe(
                    site.calendar_ids.filter(id => id !== calendar.id),
                    t(`${calendar.name} taken off`),
                  )
                }
              >
                <IconTrash size={15} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {calendars.length > 0 && <Coming site={site} />}
      {is_adding && <NewCalendar site={site} onClose={adding.close} />}
    </Section>
  )
}

function Coming({ site }: { site: SiteWithCalendars }) {
  const { days, today } = useComingDays(site.id)
  const kinds = [...new Set(days?.flatMap(({ kinds }) => kinds))]
  const { data } = useSchedulesAt(site.id, kinds.length > 0)
  const ignoring = data?.schedules.filter(schedule => ignoredKinds(schedule, kinds).length > 0) ?? []
  return (
    <>
      {ignoring.length > 0 && (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle size={16} />}
          title="Some schedules do not react to these days"
          className="sites-ignoring"
        >
          <ul>
            {ignoring.map(schedule => (
              <li key={schedule.id}>
                <NameLink href={`/schedules/${schedule.id}?site=${site.id}`}>{schedule.name}</NameLink>{' '}
                ignores {ignoredKinds(schedule, kinds).map(kindWords).join(', ')}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {days && today && <ComingDays days={days} today={today} />}
    </>
  )
}

interface AddProps {
  readonly held: readonly string[]
  readonly onPick: (calendar: Calendar) => void
  readonly onNew: () => void
}

function AddMenu({ held, onPick, onNew }: AddProps) {
  const { items } = useList('calendars', { limit: 100, sort: 'name:asc' })
  const free = items.filter(({ id }) => !held.includes(id))
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="default" leftSection={<IconPlus size={14} />}>
          Add calendar
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPlus size={14} />} onClick={onNew}>
          New calendar…
        </Menu.Item>
        {free.length > 0 && <Menu.Divider />}
        {free.map(calendar => (
          <Menu.Item key={calendar.id} onClick={() => onPick(calendar)}>
            {calendar.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
