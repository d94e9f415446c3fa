import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { keyOf } from '../data/collections.ts'
import type { LiveEvent } from '../live/stream.ts'
import { eventExpands } from '../live/stream.ts'
import { useApi } from '../session/use-api.ts'

/** Versions name nobody. Returns how to put the names of those who acted into them: each event is read once with its expands. */
export function useWho(events: readonly LiveEvent[]): (event: LiveEvent, name: string) => LiveEvent {
  const { client, organization } = useApi()
  const first = useMemo(() => firstOfEach(events), [events])
  const found = useQueries({
    queries: first.map(id => ({
      queryKey: keyOf(organization.id, 'events', 'one', id, eventExpands),
      queryFn: () => client.events.get(id, { expand: eventExpands }) as Promise<LiveEvent>,
    })),
  })
  const known = new Map(found.flatMap(({ data }) => (data ? [[actorOf(data), data]] : [])))
  return (event, name) => {
    const { subject_member, subject_user, subject_oauth_application } = known.get(actorOf(event)) ?? {}
    const own = { id: '', name }
    return {
      ...event,
      [`object_${event.object.type}`]: own,
      ...(subject_member !== undefined && { subject_member }),
      ...(subject_user !== undefined && { subject_user }),
      ...(subject_oauth_application !== undefined && { subject_oauth_application }),
    }
  }
}

function actorOf({ subject }: LiveEvent): string {
  return [subject.user_id, subject.oauth_application_id, subject.member_id].join(' ')
}

/** Few people change one object, so there are far fewer of them than versions. */
function firstOfEach(events: readonly LiveEvent[]): string[] {
  const byActor = new Map<string, string>()
  for (const event of events) if (!byActor.has(actorOf(event))) byActor.set(actorOf(event), event.id)
  return [...byActor.values()]
}
