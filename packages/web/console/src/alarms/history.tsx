import { Text } from '@mantine/core'
import { useMemo } from 'react'
import type { QueryOf } from '../data/collections.ts'
import { useList } from '../data/use-list.ts'
import { usePoll } from '../data/use-poll.ts'
import { EventLine } from '../events/event-line.tsx'
import { exactWords, shortWords, zoneAt } from '../events/event-time.tsx'
import { IconMail } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { eventExpands, type LiveEvent } from '../live/stream.ts'
import { LoadingLines } from '../parts/loading.tsx'
import { Name } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import type { Alarm } from './alarm.ts'
import { type Notification, outcomeWords, reasonWords, recipientName, toneOf } from './notification.ts'

type Entry = { readonly at: string; readonly key: string } & (
  | { readonly event: LiveEvent }
  | { readonly told: Notification }
)

/** What happened to the alarm: what people did with it, and who was told, how, and whether it arrived. */
export function History({ alarm }: { alarm: Alarm }) {
  const events = useList<'events', LiveEvent>('events', {
    ...({ 'object.alarm_id': alarm.id } as QueryOf<'events'>),
    expand: eventExpands,
    limit: 50,
  })
  const told = useList<'notifications', Notification>('notifications', {
    alarm_id: alarm.id,
    expand: ['notification_target', 'user'],
    limit: 100,
  } as QueryOf<'notifications'>)
  // No event says that a message was accepted.
  usePoll(alarm.state === 'open' || told.items.some(({ status }) => status === 'pending'), 'notifications')
  const entries = useMemo(() => merge(events.items, told.items), [events.items, told.items])
  return (
    <Section title="What happened to it" about="Messages are kept for 30 days" flush>
      {(events.is_loading || told.is_loading) && (
        <div className="section-body">
          <LoadingLines lines={3} />
        </div>
      )}
      {!told.is_loading && told.items.length === 0 && (
        <Text size="sm" c="dimmed" className="section-body">
          {nobodyWords(alarm)}
        </Text>
      )}
      <ul className="event-feed" aria-label="What happened to it">
        {entries.map(entry =>
          'event' in entry ? (
            <EventLine key={entry.key} event={entry.event} />
          ) : (
            <Told key={entry.key} notification={entry.told} zone={zoneAt(alarm.site, entry.at)} />
          ),
        )}
      </ul>
    </Section>
  )
}

function merge(events: readonly LiveEvent[], told: readonly Notification[]): readonly Entry[] {
  return [
    ...events.map(event => ({ at: event.created_at, key: event.id, event })),
    ...told.map(one => ({ at: one.attempts.at(-1)?.attempted_at ?? one.created_at, key: one.id, told: one })),
  ].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

function nobodyWords({ alarm_rule_ids, cause_alarm_id, in_maintenance }: Alarm): string {
  if (in_maintenance) return t('Nobody was told, because it began in maintenance.')
  if (cause_alarm_id) return t('Nobody was told, because another alarm explains it.')
  return alarm_rule_ids.length === 0
    ? t('Nobody was told, because no rule took it up.')
    : t('Nobody has been told yet.')
}

function Told({ notification, zone }: { notification: Notification; zone: string | undefined }) {
  const at = notification.attempts.at(-1)?.attempted_at ?? notification.created_at
  return (
    <li className="event-line">
      <span className="event-icon" data-tone={toneOf(notification)}>
        <IconMail size={14} stroke={1.8} aria-hidden />
      </span>
      <span className="event-sentence">
        <span className="event-did">{reasonWords[notification.reason]}</span>{' '}
        <span className="event-party">
          <Name>{recipientName(notification)}</Name>
        </span>
        <span className="soft"> ·&nbsp;{outcomeWords(notification)}</span>
      </span>
      <time className="event-time" dateTime={at} title={exactWords(at, zone)}>
        {shortWords(at, zone)}
      </time>
    </li>
  )
}
