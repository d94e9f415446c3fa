import { Button, Text } from '@mantine/core'
import { keyOf } from '../data/collections.ts'
import { usePages } from '../data/use-list.ts'
import type { LiveEvent } from '../live/stream.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { useApi } from '../session/use-api.ts'
import { ChangeList } from './changes.tsx'
import { EventLine } from './event-line.tsx'
import { useWho } from './use-who.ts'
import './events.css'

type WithHistory = 'members' | 'member_groups' | 'schedules' | 'sites' | 'devices' | 'gadgets'

export interface HistoryProps {
  readonly plural: WithHistory
  readonly id: string
  readonly name: string
  /** Of the site that the object is or stands at. */
  readonly timezone?: string | undefined
}

/** The versions of an object, newest first: who changed it, and what it was before and after. */
export function Versions({ plural, id, name, timezone }: HistoryProps) {
  const { client, organization } = useApi()
  const list = usePages<LiveEvent>(keyOf(organization.id, 'events', 'history', plural, id), cursor =>
    client[plural].history(id, { limit: 20, ...(cursor && { cursor }) }),
  )
  const named = useWho(list.items)
  if (list.error) return <Failure error={list.error} retry={list.refetch} />
  if (list.is_loading) return <LoadingLines lines={3} />
  if (list.items.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing is known about earlier versions.
      </Text>
    )
  return (
    <>
      <ul className="event-feed" aria-label={`Versions of ${name}`}>
        {list.items.map(event => (
          <Version key={event.id} event={named(event, name)} timezone={timezone} />
        ))}
      </ul>
      {list.has_more && (
        <Button variant="subtle" size="xs" mt="xs" onClick={list.loadMore}>
          Show older
        </Button>
      )}
    </>
  )
}

/** What changed is said below, with before and after, so the line does not repeat it. */
function Version({ event, timezone }: { event: LiveEvent; timezone: string | undefined }) {
  const { changes, ...object } = event.object
  return (
    <>
      <EventLine event={{ ...event, object } as LiveEvent} timezone={timezone} />
      {changes && changes.length > 0 && (
        <li className="version-changes">
          <ChangeList object={event.object} />
        </li>
      )}
    </>
  )
}
