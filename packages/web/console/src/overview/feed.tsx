import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useList } from '../data/use-list.ts'
import { EventLine } from '../events/event-line.tsx'
import { IconActivity } from '../icons/icons.ts'
import { useLiveEvents } from '../live/live.tsx'
import { eventExpands, type LiveEvent } from '../live/stream.ts'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'

const most = 40

/** Lists the latest events as they arrive. */
export function Feed() {
  const list = useList<'events', LiveEvent>('events', { limit: most, expand: eventExpands })
  const [live, setLive] = useState<readonly LiveEvent[]>([])
  useLiveEvents(events => setLive(held => [...events.toReversed(), ...held].slice(0, most)))
  const shown = newest(live, list.items)
  return (
    <Section
      title="Live"
      flush
      actions={
        <Anchor component={Link} href="/events" size="sm">
          All events
        </Anchor>
      }
    >
      {list.error && shown.length === 0 && <Failure error={list.error} retry={list.refetch} />}
      {list.is_loading && (
        <div className="section-body">
          <LoadingLines lines={8} />
        </div>
      )}
      {!list.is_loading && !list.error && shown.length === 0 && (
        <Empty icon={<IconActivity />} title="No activity yet">
          Openings, denials and changes appear here as they happen.
        </Empty>
      )}
      <ul className="event-feed" aria-label="Live events">
        {shown.map(event => (
          <EventLine key={event.id} event={event} />
        ))}
      </ul>
    </Section>
  )
}

/** Merges live events with the loaded list, live events first, without duplicates. */
function newest(live: readonly LiveEvent[], held: readonly LiveEvent[]): LiveEvent[] {
  const known = new Set(live.map(({ id }) => id))
  return [...live, ...held.filter(({ id }) => !known.has(id))].slice(0, most)
}
