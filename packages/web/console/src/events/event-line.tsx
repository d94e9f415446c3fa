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
import { formatExact, formatShort } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
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
      {more && <span className="soft"> ·&nbsp;{more}</span>}
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

/** A line of a feed: icon, sentence, time. */
export const EventLine = memo(function EventLine({ event }: { event: LiveEvent }) {
  return (
    <li className="event-line">
      <EventIcon event={event} />
      <EventSentence event={event} />
      <Link href={`/events/${event.id}`} className="event-time" title={formatExact(event.created_at)}>
        <time dateTime={event.created_at}>{formatShort(event.created_at)}</time>
      </Link>
    </li>
  )
})
