import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useList } from '../data/use-list.ts'
import { EventLine } from '../events/event-line.tsx'
import { eventExpands, type LiveEvent } from '../live/stream.ts'
import { LoadingLines } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'

/** What the member did lately. */
export function MemberActivity({ member_id }: { member_id: string }) {
  const list = useList<'events', LiveEvent>('events', {
    'subject.member_id': member_id,
    expand: eventExpands,
    limit: 8,
  })
  return (
    <Section
      title="Activity"
      flush
      actions={
        <Anchor component={Link} href={`/events?subject.member_id=${member_id}`} size="sm">
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
        <Text size="sm" c="dimmed" p="sm">
          Has opened nothing yet.
        </Text>
      )}
      <ul className="event-feed">
        {list.items.slice(0, 8).map(event => (
          <EventLine key={event.id} event={event} />
        ))}
      </ul>
    </Section>
  )
}
