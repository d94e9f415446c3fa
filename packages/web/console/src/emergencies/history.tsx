import { Badge, Group } from '@mantine/core'
import { useList } from '../data/use-list.ts'
import { momentWords } from '../events/event-time.tsx'
import { IconHistory } from '../icons/icons.ts'
import { Empty } from '../parts/empty.tsx'
import { Name } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { useOwnZone } from '../sites/own-time.tsx'
import { type Emergency, emergencyName, isActive, lengthWords } from './emergency.ts'

const columns: readonly Column<Emergency>[] = [
  {
    title: 'Name',
    width: '1.6fr',
    render: emergency => (
      <>
        <Name>{emergencyName(emergency)}</Name>
        <span className="below">
          <Started emergency={emergency} />
        </span>
      </>
    ),
  },
  {
    title: 'Started',
    width: '1.2fr',
    on_phone: false,
    render: emergency => (
      <span className="soft">
        <Started emergency={emergency} />
      </span>
    ),
  },
  {
    title: 'Lasted',
    width: '1fr',
    on_phone: false,
    render: ({ started_at, ended_at }) => (
      <span className="soft">{ended_at ? lengthWords(started_at, Date.parse(ended_at)) : '–'}</span>
    ),
  },
  {
    title: 'Doors',
    width: '110px',
    phone_width: '64px',
    render: ({ confirmed_gadget_count, gadget_count }) => (
      <span className="soft">{`${confirmed_gadget_count} of ${gadget_count}`}</span>
    ),
  },
  {
    title: 'State',
    width: '130px',
    phone_width: '96px',
    render: emergency => (
      <Group gap={4}>
        {isActive(emergency) ? <Badge color="red">Ongoing</Badge> : <Badge color="gray">Ended</Badge>}
        {emergency.is_drill && <Badge color="blue">Drill</Badge>}
      </Group>
    ),
  },
]

/** For a row, which has no room for the name of a zone. */
function Started({ emergency: { started_at } }: { emergency: Emergency }) {
  return momentWords(started_at, useOwnZone())
}

/** Everything that was ever started, newest first. It cannot be deleted. */
export function History() {
  const list = useList('emergencies', { sort: 'started_at:desc' })
  return (
    <Section title="History" flush>
      <Rows
        label="Emergencies"
        list={list}
        columns={columns}
        href={({ id }) => `/emergencies/${id}`}
        keyOf={({ id }) => id}
        empty={<Empty icon={<IconHistory />} title="Nothing was started yet" />}
      />
    </Section>
  )
}
