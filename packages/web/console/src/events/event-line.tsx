import { memo } from 'react'
import { Link } from 'wouter'
import {
  IconBan,
  IconBell,
  IconDoorEnter,
  IconEye,
  IconLock,
  IconPencil,
  IconPlus,
  IconTrash,
  IconUrgent,
  IconUserCheck,
} from '../icons/icons.ts'
import type { LiveEvent } from '../live/stream.ts'
import { Name } from '../parts/name.tsx'
import { useApi } from '../session/use-api.ts'
import { exactWords, shortWords, zoneAt } from './event-time.tsx'
import { MoreWords } from './more-words.tsx'
import type { Subject } from './sentence.ts'
import { wordsOf } from './words.ts'
import './events.css'

const icons = {
  create: IconPlus,
  edit: IconPencil,
  delete: IconTrash,
  use: IconUserCheck,
  reveal: IconEye,
} as const

/** Types that are recognized by what they are, not by what was done to them. */
const typeIcons: Record<string, typeof IconBan> = {
  gadget_action: IconDoorEnter,
  access_denial: IconBan,
  gadget_mode: IconLock,
  emergency: IconUrgent,
  alarm: IconBell,
}

export function EventIcon({ event }: { event: LiveEvent }) {
  const Icon = typeIcons[event.object.type] ?? icons[event.verb]
  return (
    <span className="event-icon" data-tone={wordsOf(event).tone}>
      <Icon size={14} stroke={1.8} aria-hidden />
    </span>
  )
}

/** Renders an event as a sentence. Events never change, so the component is memoized. */
export const EventSentence = memo(function EventSentence({ event }: { event: LiveEvent }) {
  const { who, did, what, more } = wordsOf(event)
  return (
    <span className="event-sentence">
      <Party subject={who} /> <span className="event-did">{did}</span> {what && <Party subject={what} />}
      {more && <MoreWords text={more} is_linked />}
    </span>
  )
})

function Party({ subject: { name, path } }: { subject: Subject }) {
  const { has_screen } = useApi()
  const shown = <Name>{name}</Name>
  return path && has_screen(path) ? (
    <Link href={path} className="event-party">
      {shown}
    </Link>
  ) : (
    <span className="event-party">{shown}</span>
  )
}

interface LineProps {
  readonly event: LiveEvent
  /** Of the site, where the event does not name it. */
  readonly timezone?: string | undefined
}

/** A line of a feed: icon, sentence, time. */
export const EventLine = memo(function EventLine({ event, timezone }: LineProps) {
  const { created_at, object_site } = event
  const zone = zoneAt(timezone ? { timezone } : object_site, created_at)
  return (
    <li className="event-line">
      <EventIcon event={event} />
      <EventSentence event={event} />
      <Link href={`/events/${event.id}`} className="event-time" title={exactWords(created_at, zone)}>
        <time dateTime={created_at}>{shortWords(created_at, zone)}</time>
      </Link>
    </li>
  )
})
