import { isDeepStrictEqual } from 'node:util'
import type { EventObject, EventSubject } from '@gatehouse-access/api'
import { withoutValues } from '../../../audit/amendments/unlink.ts'
import type { EventColumns } from '../../../events/feed-event.ts'

type Content = Pick<EventColumns, 'subject' | 'object'>

/**
 * Returns what is left of an event when its time is over, of users and applications: who acted stays, from where does not, and
 * neither do the personal values of what changed.
 */
export function emptyEvent<Event extends Content>(event: Event): Event {
  return { ...event, subject: emptySubject(event.subject), object: emptyObject(event.object) }
}

/** A member's go together with the member. */
function emptySubject(subject: EventSubject): EventSubject {
  if (subject.member_id != null) return subject
  const { ip_address, client, ...rest } = subject
  return rest
}

function emptyObject({ name, ...rest }: EventObject): EventObject {
  const named = rest.type === 'invitation' || name === undefined ? rest : { ...rest, name }
  return withoutValues(named)
}

/** False for edits of what is not personal, and for those that are empty already. */
export function holdsValues({ subject, object }: Content): boolean {
  return !isDeepStrictEqual({ subject, object }, emptyEvent({ subject, object }))
}
