import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { ItemOf } from '../data/collections.ts'
import { totalText, useCount } from '../data/use-count.ts'
import { useList } from '../data/use-list.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { IconActivity, IconRefresh } from '../icons/icons.ts'
import { locale } from '../language/languages.ts'
import { ColumnChoice, useColumns } from '../lists/columns.tsx'
import { Views } from '../lists/views.tsx'
import { useLiveEvents } from '../live/live.tsx'
import { eventExpands, type LiveEvent } from '../live/stream.ts'
import { Empty } from '../parts/empty.tsx'
import { Later } from '../parts/later.tsx'
import { Page } from '../parts/page.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { formatClock, formatExact, formatShortDate, zoneMark } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { EventIcon } from './event-line.tsx'
import { EventText } from './event-text.tsx'
import { UnmarkedZone, zoneAt } from './event-time.tsx'
import { ExportMenu } from './export-menu.tsx'
import { EventFilterBar } from './filter-bar.tsx'
import { type EventFilters, givenViews, readFilters, toQuery } from './filters.ts'
import { methodTitle } from './method-words.ts'

const columns: readonly Column<LiveEvent>[] = [
  {
    title: 'Event',
    width: '3fr',
    render: event => (
      <span className="events-cell">
        <EventIcon event={event} />
        <EventText event={event} />
      </span>
    ),
  },
  {
    id: 'method',
    title: 'Method',
    width: '130px',
    on_phone: false,
    render: ({ subject }) => (
      <span className="soft">{subject.access_method && methodTitle(subject.access_method)}</span>
    ),
  },
  {
    id: 'ip_address',
    title: 'IP address',
    width: '130px',
    on_phone: false,
    render: ({ subject }) => <span className="soft">{subject.ip_address ?? ''}</span>,
  },
  {
    title: 'When',
    width: '160px',
    phone_width: 'minmax(66px, max-content)',
    render: event => <When event={event} />,
  },
]

/** By the clock of the site, with its zone below. On a phone, the date and the zone stand above the clock. */
function When({ event: { created_at, object_site } }: { event: LiveEvent }) {
  const zone = zoneAt(object_site, created_at)
  return (
    <span className="soft event-when" data-zoned={zone !== undefined}>
      <span className="on-desktop">{formatExact(created_at, zone)}</span>
      <span className="on-phone">{formatShortDate(created_at, zone)}</span>{' '}
      {zone && (
        <span className="event-mark" title={zone.replaceAll('_', ' ')}>
          {zoneMark(created_at, zone)}
        </span>
      )}
      <span className="on-phone">
        <br />
        {formatClock(created_at, zone)}
      </span>
    </span>
  )
}

export function EventList() {
  const { sees_all } = useApi()
  const [params, setParams] = useSearchParams()
  const filters = readFilters(params)
  const change = (name: string, value: string | null) => {
    const { [name]: _, ...rest } = filters
    setParams(value === null ? rest : { ...rest, [name]: value })
  }
  const chosen = useColumns('events', columns)
  return (
    <Page
      title="Events"
      actions={
        <>
          <ColumnChoice columns={chosen} />
          {sees_all && <ExportMenu filters={filters} />}
        </>
      }
    >
      <Views list="events" given={givenViews} columns={chosen} />
      <Later>
        <EventFilterBar filters={filters} onChange={change} />
        <EventTotal filters={filters} />
        <EventRows filters={filters} columns={chosen.shown} />
      </Later>
    </Page>
  )
}

interface EventRowsProps {
  readonly filters: EventFilters
  readonly columns: readonly Column<LiveEvent>[]
}

/** Several filters may leave too many events for counting them. Keeps its place, so that nothing moves once they are counted. */
function EventTotal({ filters }: { filters: EventFilters }) {
  const { sort: _, ...narrowing } = filters
  const counted = useCount('events', [toQuery(narrowing)])
  return <p className="events-total soft">{counted && counted.count > 0 && totalText(counted.count)}</p>
}

/** A component of its own, so that loading another page of events does not render the filters again. */
function EventRows({ filters, columns }: EventRowsProps) {
  const query = { ...toQuery(filters), expand: eventExpands }
  const list = useList<'events', LiveEvent>('events', query)
  return (
    <>
      <NewEvents key={JSON.stringify(filters)} filters={filters} shown={list.items} />
      <UnmarkedZone events={list.items} />
      <Rows
        label="Events"
        list={list}
        columns={columns}
        keyOf={({ id }: ItemOf<'events'>) => id}
        href={({ id }) => `/events/${id}`}
        empty={
          <Empty icon={<IconActivity />} title="No matching events">
            Everything that happens in the organization or at its doors is listed here. Remove a filter to see
            more.
          </Empty>
        }
      />
    </>
  )
}

interface NewEventsProps {
  readonly filters: EventFilters
  readonly shown: readonly Moments[]
}

type Moments = Pick<LiveEvent, 'id' | 'created_at' | 'recorded_at'>

/** What has come since the list was loaded: few as they are, because the list may have them by now. */
interface Arrived {
  readonly recent: readonly Moments[]
  readonly earlier: number
}

const nothing: Arrived = { recent: [], earlier: 0 }
const mostRecent = 1000

function arrive({ recent, earlier }: Arrived, events: readonly LiveEvent[]): Arrived {
  const all = [
    ...recent,
    ...events.map(({ id, created_at, recorded_at }) => ({ id, created_at, recorded_at })),
  ]
  const over = Math.max(0, all.length - mostRecent)
  return { recent: all.slice(over), earlier: earlier + over }
}

/** Tells what a list lacks. Events may reach readers late: the list has them, or they lie below what is loaded of it. */
function lackedBy(shown: readonly Moments[]): (event: Moments) => boolean {
  const listed = new Set(shown.map(({ id }) => id))
  const below = shown.at(-1)?.created_at ?? ''
  const newest = shown.reduce((latest, { recorded_at }) => (recorded_at > latest ? recorded_at : latest), '')
  return ({ id, created_at, recorded_at }) => !listed.has(id) && (created_at >= below || recorded_at > newest)
}

/** Counts new events and shows them on request, so that the list does not move while the user reads. */
function NewEvents({ filters, shown }: NewEventsProps) {
  const refresh = useRefresh()
  const [arrived, setArrived] = useState(nothing)
  const isNew = useMemo(() => lackedBy(shown), [shown])
  useLiveEvents(events => {
    const others = events.filter(isNew)
    if (others.length > 0) setArrived(held => arrive(held, others))
  })
  const count = useMemo(() => arrived.earlier + arrived.recent.filter(isNew).length, [arrived, isNew])
  if (count === 0) return null
  const is_filtered = Object.keys(filters).length > 0
  return (
    <Button
      fullWidth
      mb="xs"
      variant="light"
      leftSection={<IconRefresh size={14} />}
      onClick={() => {
        setArrived(nothing)
        refresh('events')
        window.scrollTo(0, 0)
      }}
    >
      {is_filtered
        ? 'Check for new events'
        : count === 1
          ? 'Show 1 new event'
          : `Show ${count.toLocaleString(locale)} new events`}
    </Button>
  )
}
