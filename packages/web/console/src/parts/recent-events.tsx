import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { QueryOf } from '../data/collections.ts'
import { useList } from '../data/use-list.ts'
import { EventLine } from '../events/event-line.tsx'
import { UnmarkedZone } from '../events/event-time.tsx'
import { eventExpands, type LiveEvent } from '../live/stream.ts'
import { LoadingLines } from './loading.tsx'
import { Section } from './page.tsx'

/** Lists the newest events of one object, by a filter such as `object.gadget_id` and its id. */
export function RecentEvents({
  filter,
  id,
  nothing,
}: {
  filter: `${string}.${string}`
  id: string
  nothing: string
}) {
  const list = useList<'events', LiveEvent>('events', {
    ...({ [filter]: id } as QueryOf<'events'>),
    expand: eventExpands,
    limit: 8,
  })
  return (
    <Section
      title="Activity"
      flush
      actions={
        <Anchor component={Link} href={`/events?${filter}=${id}`} size="sm">
          All
        </Anchor>
      }
    >
      {list.is_loading && (
        <div className="section-body">
          <LoadingLines lines={3} />
        </div>
      )}
      {!list.is_loading && list.items.length === 0 && (
        <Text size="sm" c="dimmed" className="section-body">
          {nothing}
        </Text>
      )}
      <UnmarkedZone events={list.items} />
      <ul className="event-feed">
        {list.items.slice(0, 8).map(event => (
          <EventLine key={event.id} event={event} />
        ))}
      </ul>
    </Section>
  )
}
