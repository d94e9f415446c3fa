import { Progress, Select } from '@mantine/core'
import { useState } from 'react'
import { usePoll } from '../data/use-poll.ts'
import { t } from '../language/t.ts'
import { Section } from '../parts/page.tsx'
import { DoorRows } from './door-rows.tsx'
import { stateOf } from './door-states.ts'
import { doorCount, type Emergency, isActive } from './emergency.ts'
import { type DoorState, useEmergencyDoors } from './use-doors.ts'

const states = ['failed', 'offline', 'sent', 'cannot_hold', 'confirmed'] as const

/** The doors of an emergency, with a progress that follows the event stream. */
export function EmergencyDoors({ emergency }: { emergency: Emergency }) {
  const [state, setState] = useState<DoorState>()
  const list = useEmergencyDoors(emergency.id, state)
  const is_ended = !isActive(emergency)
  // The banner does so for one that is active.
  usePoll(is_ended && emergency.arrival === 'pending', 'emergencies')
  return (
    <Section
      title="Doors"
      flush
      about={<Confirmed emergency={emergency} />}
      actions={
        <Select
          aria-label="Show doors"
          size="xs"
          w={130}
          placeholder="All states"
          clearable
          data={states.map(value => ({ value, label: stateOf(value, is_ended).label }))}
          value={state ?? null}
          onChange={value => setState((value as DoorState | null) ?? undefined)}
        />
      }
    >
      <DoorRows emergency={emergency} list={list} />
    </Section>
  )
}

function Confirmed({ emergency }: { emergency: Emergency }) {
  const { confirmed_gadget_count: confirmed, gadget_count: all, cannot_gadget_count: cannot } = emergency
  const what = isActive(emergency) ? t('confirmed') : t('confirmed the end')
  return (
    <>
      <span role="status">
        {confirmed} of {doorCount(all)} {what}
        {cannot > 0 && `, ${cannot} cannot follow`}
      </span>
      <Progress
        aria-label="Doors that have confirmed"
        value={all === 0 ? 0 : (100 * confirmed) / all}
        color={confirmed < all ? 'yellow' : 'teal'}
        size="sm"
        mt={4}
      />
    </>
  )
}
