import { Anchor, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { keyOf, type QueryOf } from '../data/collections.ts'
import { type List, usePages } from '../data/use-list.ts'
import { EventLine } from '../events/event-line.tsx'
import { UnmarkedZone } from '../events/event-time.tsx'
import { IconActivity } from '../icons/icons.ts'
import { useLiveEvents } from '../live/live.tsx'
import { eventExpands, type LiveEvent } from '../live/stream.ts'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { type FeedChoice, type FeedFilter, feedFilters } from './feed-filters.ts'

const most = 40
/** More than are shown, so that a filter has what to choose from. */
const kept = 200

/** Lists the latest events as they arrive. */
export function Feed() {
  const [filter, setFilter] = useState<FeedChoice>('all')
  const { queries, matches }: FeedFilter = feedFilters[filter]
  const list = useStored(queries)
  const [live, setLive] = useState<readonly LiveEvent[]>([])
  useLiveEvents(events => setLive(held => [...events.toReversed(), ...held].slice(0, kept)))
  const shown = newest(live.filter(matches), list.items.filter(matches))
  return (
    <Section
      title="Live"
      flush
      actions={
        <>
          <NativeSelect
            size="xs"
            aria-label="Show in the live list"
            value={filter}
            onChange={event => setFilter(event.currentTarget.value as FeedChoice)}
            data={Object.entries(feedFilters).map(([value, { label }]) => ({ value, label }))}
          />
          <Anchor component={Link} href={addressOf(queries)} size="sm">
            All events
          </Anchor>
        </>
      }
    >
      {list.error && shown.length === 0 && <Failure error={list.error} retry={list.refetch} />}
      {list.is_loading && (
        <div className="section-body">
          <LoadingLines lines={8} />
        </div>
      )}
      {!list.is_loading && !list.error && shown.length === 0 && (
        <Empty icon={<IconActivity />} title={filter === 'all' ? 'No activity yet' : 'Nothing of this yet'}>
          Openings, denials and changes appear here as they happen.
        </Empty>
      )}
      <UnmarkedZone events={shown} />
      <ul className="event-feed" aria-label="Live events">
        {shown.map(event => (
          <EventLine key={event.id} event={event} />
        ))}
      </ul>
    </Section>
  )
}

/** Loads what happened before the page was opened. */
function useStored(queries: readonly QueryOf<'events'>[]): List<LiveEvent> {
  const { client, organization } = useApi()
  return usePages<LiveEvent>(
    keyOf(organization.id, 'events', 'list', 'newest', queries),
    async (_cursor, signal) => {
      const ask = (query: QueryOf<'events'>) =>
        client.events.list({ limit: most, ...query, expand: eventExpands, signal })
      const pages = await Promise.all(queries.map(ask))
      return { data: pages.flatMap(({ data }) => data).toSorted(newestFirst), has_next: false }
    },
  )
}

function newestFirst(a: LiveEvent, b: LiveEvent): number {
  return a.created_at === b.created_at ? (a.id < b.id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1
}

/** The list of events narrows by one action only: what needs several answers leads to all of them. */
function addressOf([query, ...others]: readonly QueryOf<'events'>[]): string {
  return others.length > 0 ? '/events' : `/events?${new URLSearchParams(query as Record<string, string>)}`
}

/** Merges live events with the loaded list, live events first, without duplicates. */
function newest(live: readonly LiveEvent[], held: readonly LiveEvent[]): LiveEvent[] {
  const known = new Set(live.map(({ id }) => id))
  return [...live, ...held.filter(({ id }) => !known.has(id))].slice(0, most)
}
