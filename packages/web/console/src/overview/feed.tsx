import { Anchor, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useList } from '../data/use-list.ts'
import { EventLine } from '../events/event-line.tsx'
import { IconActivity } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { useLiveEvents } from '../live/live.tsx'
import { eventExpands, type LiveEvent } from '../live/stream.ts'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'

const most = 40
/** More than are shown, so that a filter has what to choose from. */
const kept = 200

interface Filter {
  readonly label: string
  readonly query: Readonly<Record<string, string>>
  matches(event: LiveEvent): boolean
}

const all: Filter = { label: 'Everything', query: {}, matches: () => true }

function ofType(label: string, type: string): Filter {
  return { label, query: { 'object.type': type }, matches: ({ object }) => object.type === type }
}

function ofVerb(label: string, verb: string): Filter {
  return { label, query: { verb }, matches: event => event.verb === verb }
}

/** What the live list can be narrowed to. The service and the stream are asked for the same. */
const filters = {
  all,
  opened: ofType(t('Openings'), 'gadget_action'),
  denied: ofType(t('Denials'), 'access_denial'),
  alarms: ofType(t('Alarms'), 'alarm'),
  changes: ofVerb(t('Changes'), 'edit'),
} as const satisfies Record<string, Filter>

/** Lists the latest events as they arrive. */
export function Feed() {
  const [filter, setFilter] = useState<keyof typeof filters>('all')
  const { query, matches } = filters[filter]
  const list = useList<'events', LiveEvent>('events', { ...query, limit: most, expand: eventExpands })
  const [live, setLive] = useState<readonly LiveEvent[]>([])
  useLiveEvents(events => setLive(held => [...events.toReversed(), ...held].slice(0, kept)))
  const shown = newest(live.filter(matches), list.items)
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
            onChange={event => setFilter(event.currentTarget.value as typeof filter)}
            data={Object.entries(filters).map(([value, { label }]) => ({ value, label }))}
          />
          <Anchor component={Link} href={`/events?${new URLSearchParams(query)}`} size="sm">
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
