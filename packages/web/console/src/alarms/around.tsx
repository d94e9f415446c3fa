import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { QueryOf } from '../data/collections.ts'
import { useList } from '../data/use-list.ts'
import { EventLine } from '../events/event-line.tsx'
import { UnmarkedZone, zoneAt } from '../events/event-time.tsx'
import { t } from '../language/t.ts'
import { eventExpands, type LiveEvent } from '../live/stream.ts'
import { inZone } from '../parts/door-time.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'
import { formatClock } from '../parts/time.tsx'
import type { Alarm } from './alarm.ts'

const minute = 60_000
const before = 10 * minute
const after = 5 * minute

/** What happened at the door, or with the device, in the minutes around the beginning. */
export function Around({ alarm }: { alarm: Alarm }) {
  const place = placeOf(alarm)
  const zone = zoneAt(alarm.site, alarm.started_at)
  const began = Date.parse(alarm.started_at)
  const [from, to] = [toTimestamp(began - before), toTimestamp(began + after)]
  const list = useList<'events', LiveEvent>(
    'events',
    {
      ...({
        [place?.filter ?? '']: place?.id,
        'created_at:ge': from,
        'created_at:lt': to,
      } as QueryOf<'events'>),
      expand: eventExpands,
      limit: 50,
    },
    { enabled: place !== undefined },
  )
  if (!place) return null
  // What became of the alarm is told beside this.
  const shown = list.items.filter(({ object, verb }) => object.alarm_id !== alarm.id || verb === 'create')
  return (
    <Section
      title={place.title}
      about={inZone(t(`${formatClock(from, zone)} to ${formatClock(to, zone)}`), alarm.site ?? undefined)}
      flush
      actions={
        <Anchor component={Link} href={`/events?${place.filter}=${place.id}`} size="sm">
          All events
        </Anchor>
      }
    >
      {list.is_loading && (
        <div className="section-body">
          <LoadingLines lines={3} />
        </div>
      )}
      {list.error && list.items.length === 0 && <Failure error={list.error} retry={list.refetch} />}
      {!list.is_loading && !list.error && shown.length === 0 && (
        <Text size="sm" c="dimmed" className="section-body">
          Nothing else happened in these minutes.
        </Text>
      )}
      <UnmarkedZone events={shown} />
      <ul className="event-feed">
        {shown.map(event => (
          <EventLine key={event.id} event={event} />
        ))}
      </ul>
    </Section>
  )
}

function placeOf({ gadget_id, device_id, member_id, site_id }: Alarm) {
  if (gadget_id) return { title: 'At the door', filter: 'object.gadget_id', id: gadget_id }
  if (device_id) return { title: 'With the device', filter: 'object.device_id', id: device_id }
  if (member_id) return { title: 'With the member', filter: 'object.member_id', id: member_id }
  return site_id ? { title: 'At the site', filter: 'object.site_id', id: site_id } : undefined
}

function toTimestamp(time: number): string {
  return new Date(time).toISOString()
}
