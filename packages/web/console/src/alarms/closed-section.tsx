import { useMemo } from 'react'
import type { QueryOf } from '../data/collections.ts'
import { useList } from '../data/use-list.ts'
import { lengthWords } from '../emergencies/emergency.ts'
import { momentWords, UnmarkedZone, zoneAt } from '../events/event-time.tsx'
import { Name } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { type Alarm, alarmExpands, subjectOf } from './alarm.ts'
import { alarmTitles } from './alarm-words.ts'
import type { AlarmFilters } from './filters.ts'
import { SeverityBadge } from './marks.tsx'

const columns: readonly Column<Alarm>[] = [
  {
    title: 'Alarm',
    width: '1.5fr',
    render: alarm => (
      <>
        {alarmTitles[alarm.type]}
        <span className="below">
          <bdi>{`${subjectOf(alarm).name} · ${beganWords(alarm)}`}</bdi>
        </span>
      </>
    ),
  },
  { title: 'Where', width: '1fr', on_phone: false, render: alarm => <Name>{subjectOf(alarm).name}</Name> },
  {
    title: 'Began',
    width: '180px',
    on_phone: false,
    render: alarm => <span className="soft">{beganWords(alarm)}</span>,
  },
  {
    title: 'Lasted',
    width: '150px',
    on_phone: false,
    render: ({ started_at, ended_at }) => (
      <span className="soft">{ended_at ? lengthWords(started_at, Date.parse(ended_at)) : 'Still on'}</span>
    ),
  },
  {
    title: 'Taken by',
    width: '1fr',
    on_phone: false,
    render: ({ acknowledged_by_user: user }) =>
      user ? <Name>{user.name || user.email}</Name> : <span className="soft">–</span>,
  },
  {
    title: 'Severity',
    width: '100px',
    phone_width: '96px',
    render: ({ severity }) => <SeverityBadge severity={severity} />,
  },
]

function beganWords({ started_at, site }: Alarm): string {
  return momentWords(started_at, zoneAt(site, started_at))
}

/** What is done with, newest first. It is kept as events are. Hidden while there is nothing. */
export function ClosedSection({ filters }: { filters: AlarmFilters }) {
  const query = { ...filters, state: 'closed', expand: alarmExpands } as QueryOf<'alarms'>
  const list = useList<'alarms', Alarm>('alarms', query)
  const times = useMemo(
    () => list.items.map(({ started_at, site = null }) => ({ created_at: started_at, object_site: site })),
    [list.items],
  )
  if (!list.is_loading && !list.error && list.items.length === 0) return null
  return (
    <Section title="Closed" flush>
      <UnmarkedZone events={times} />
      <Rows
        label="Closed alarms"
        list={list}
        columns={columns}
        href={({ id }) => `/alarms/${id}`}
        keyOf={({ id }) => id}
        empty={null}
      />
    </Section>
  )
}
