import { staticList } from '../data/static-list.ts'
import { t } from '../language/t.ts'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Name } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { doorCount, type Plan } from './emergency.ts'
import type { Outcome, PlannedDoor } from './plan-outcome.ts'
import { usePlanDoors } from './use-plan-doors.ts'

const outcomes: Record<Outcome, { readonly label: string; readonly tone: string }> = {
  locked: { label: 'Locked', tone: 'good' },
  held_open: { label: 'Held open', tone: 'good' },
  cannot: { label: 'Not possible', tone: 'bad' },
}

const columns: readonly Column<PlannedDoor>[] = [
  {
    title: 'Door',
    width: '1.4fr',
    render: ({ door, problem }) => (
      <>
        <Name>{door.name}</Name>
        {problem && <span className="below">{problem}</span>}
      </>
    ),
  },
  {
    title: 'Would be',
    width: '120px',
    phone_width: '104px',
    render: ({ outcome, problem }) => (
      <>
        <span className="dot" data-tone={problem && outcome !== 'cannot' ? 'warn' : outcomes[outcome].tone} />{' '}
        {outcomes[outcome].label}
      </>
    ),
  },
  {
    title: 'Problem',
    width: '1.6fr',
    on_phone: false,
    render: ({ problem }) => <span className="soft">{problem ?? '–'}</span>,
  },
]

/** Lists every door of a plan with what would happen to it, the ones that cannot first. */
export function WhatWouldHappen({ plan }: { plan: Plan }) {
  const { data, error, refetch } = usePlanDoors(plan)
  return (
    <Section title="What would happen" about={data && <Count doors={data} />} flush>
      {error && !data && <Failure error={error} retry={refetch} />}
      {!data && !error && (
        <div className="section-body">
          <LoadingLines lines={4} />
        </div>
      )}
      {data && (
        <Rows
          label="Doors of the plan"
          list={staticList(data)}
          columns={columns}
          href={({ door }) => `/gadgets/${door.id}`}
          keyOf={({ door }) => door.id}
          empty={<Empty title="No doors">Its targets hold no door now, so it cannot be started.</Empty>}
        />
      )}
    </Section>
  )
}

function Count({ doors }: { doors: readonly PlannedDoor[] }) {
  const count = (outcome: Outcome) => doors.filter(door => door.outcome === outcome).length
  const waiting = doors.filter(({ outcome, problem }) => outcome !== 'cannot' && problem !== null).length
  const parts = [
    count('locked') > 0 && t(`${doorCount(count('locked'))} locked`),
    count('held_open') > 0 && t(`${doorCount(count('held_open'))} held open`),
    count('cannot') > 0 && t(`${doorCount(count('cannot'))} cannot`),
    waiting > 0 && t(`${doorCount(waiting)} not reached at once`),
  ]
  return <span role="status">{parts.filter(Boolean).join(' · ') || 'Nothing'}</span>
}
