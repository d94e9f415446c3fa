import type { LiveEvent } from '../live/stream.ts'
import { Name } from '../parts/name.tsx'
import { MoreWords } from './more-words.tsx'
import { wordsOf } from './words.ts'

/** Renders the sentence without links, for rows that are links themselves. */
export function EventText({ event }: { event: LiveEvent }) {
  const { who, did, what, more } = wordsOf(event)
  return (
    <span className="event-sentence">
      <Name>{who.name}</Name> <span className="event-did">{did}</span> {what && <Name>{what.name}</Name>}
      {more && <MoreWords text={more} is_linked={false} />}
    </span>
  )
}
