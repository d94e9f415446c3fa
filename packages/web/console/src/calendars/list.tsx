import { IconAlertTriangle, IconCalendarEvent } from '../icons/icons.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Name } from '../parts/name.tsx'
import type { Column } from '../parts/rows.tsx'
import { Ago } from '../parts/time.tsx'
import type { Calendar } from './calendar.ts'
import { NewCalendar } from './new-calendar.tsx'
import { Source } from './source.tsx'

const columns: readonly Column<Calendar>[] = [
  {
    title: 'Name',
    width: '1.4fr',
    render: ({ name, source }) => (
      <>
        <Name>{name}</Name>
        <span className="below">
          <Source source={source} />
        </span>
      </>
    ),
  },
  {
    title: 'Days',
    width: '1.4fr',
    on_phone: false,
    render: ({ source }) => (
      <span className="soft">
        <Source source={source} />
      </span>
    ),
  },
  {
    title: 'Refreshed',
    width: '120px',
    phone_width: '96px',
    render: ({ refreshed_at, refresh_error }) => (
      <span className={refresh_error ? 'warn-ink' : 'soft'}>
        {refresh_error && <IconAlertTriangle size={14} aria-label="Failed" />}{' '}
        {refreshed_at ? <Ago at={refreshed_at} /> : '–'}
      </span>
    ),
  },
]

export function CalendarList() {
  return (
    <ListPage
      title="Calendars"
      plural="calendars"
      columns={columns}
      query={{ sort: 'name:asc' }}
      href={({ id }) => `/calendars/${id}`}
      deleted={{ label: 'Show calendars', title: 'No deleted calendars' }}
      adding={{
        label: 'New calendar',
        first: 'Create your first calendar',
        dialog: close => <NewCalendar onClose={close} />,
      }}
      empty={{
        icon: <IconCalendarEvent />,
        title: 'No calendars yet',
        about:
          'A calendar holds holidays and other special days. Sites observe calendars, and schedules say what happens on their days.',
      }}
    />
  )
}
