import { useMemo } from 'react'
import type { List } from '../data/use-list.ts'
import { Empty } from '../parts/empty.tsx'
import { Name } from '../parts/name.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { Ago } from '../parts/time.tsx'
import { stateOf, stateWords } from './door-states.ts'
import { type Emergency, isActive } from './emergency.ts'
import type { EmergencyDoor } from './use-doors.ts'

function columnsFor(emergency: Emergency): readonly Column<EmergencyDoor>[] {
  const told = ({ state }: EmergencyDoor) => stateOf(state, !isActive(emergency))
  const words = (door: EmergencyDoor) => stateWords(emergency, door)
  return [
    {
      title: 'Door',
      width: '1.4fr',
      render: door => (
        <>
          <Name>{door.gadget?.name}</Name>
          <span className="below emergencies-about">{words(door)}</span>
        </>
      ),
    },
    {
      title: 'State',
      width: '110px',
      render: door => (
        <>
          <span className="dot" data-tone={told(door).tone} />{' '}
          <span className={`${told(door).tone}-ink`}>{told(door).label}</span>
          <span className="below">
            <Since door={door} />
          </span>
        </>
      ),
    },
    {
      title: 'Meaning',
      width: '1.8fr',
      on_phone: false,
      render: door => <span className="soft emergencies-about">{words(door)}</span>,
    },
    {
      title: 'Since',
      width: '96px',
      on_phone: false,
      render: door => (
        <span className="soft">
          <Since door={door} />
        </span>
      ),
    },
  ]
}

function Since({ door: { since, offline_since } }: { door: EmergencyDoor }) {
  const at = offline_since ?? since
  return at ? <Ago at={at} /> : '–'
}

interface DoorRowsProps {
  readonly emergency: Emergency
  readonly list: List<EmergencyDoor>
}

/** The doors of an emergency, each with how far it, or its end, has come. */
export function DoorRows({ emergency, list }: DoorRowsProps) {
  const columns = useMemo(() => columnsFor(emergency), [emergency])
  return (
    <Rows
      label="Doors of the emergency"
      list={list}
      columns={columns}
      href={({ gadget_id }) => `/gadgets/${gadget_id}`}
      keyOf={({ gadget_id }) => gadget_id}
      empty={<Empty title="No such doors" />}
    />
  )
}
