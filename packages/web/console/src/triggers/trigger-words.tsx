import { Name, NameLink } from '../parts/name.tsx'
import { nameOf, type Trigger } from './trigger.ts'

/** `When Gate becomes Open, run Light up on Yard light`; in a row nothing is a link but the row. */
export function TriggerWords({ trigger, linked = false }: { trigger: Trigger; linked?: boolean }) {
  const { target_gadget, target_gadget_id, target_action_id } = trigger
  return (
    <span className="triggers-words">
      <Source trigger={trigger} linked={linked} />, run{' '}
      <strong>
        <Name>{nameOf(target_gadget?.actions, target_action_id)}</Name>
      </strong>{' '}
      on <Thing href={`/gadgets/${target_gadget_id}`} name={target_gadget?.name} linked={linked} />
    </span>
  )
}

function Source({ trigger, linked }: { trigger: Trigger; linked: boolean }) {
  const { source_type, source_gadget, source_gadget_id, source_schedule, source_schedule_id } = trigger
  if (source_type === 'schedule')
    return (
      <>
        When <Thing href={`/schedules/${source_schedule_id}`} name={source_schedule?.name} linked={linked} />{' '}
        {trigger.source_schedule_event === 'exit' ? 'ends' : 'begins'}
      </>
    )
  const gadget = <Thing href={`/gadgets/${source_gadget_id}`} name={source_gadget?.name} linked={linked} />
  if (source_type === 'signal')
    return (
      <>
        When {gadget} signals{' '}
        <strong>
          <Name>{nameOf(source_gadget?.signals, trigger.source_signal_id)}</Name>
        </strong>
      </>
    )
  return (
    <>
      When {gadget} becomes{' '}
      <strong>
        <Name>{nameOf(source_gadget?.states, trigger.source_state_id)}</Name>
      </strong>
    </>
  )
}

interface ThingProps {
  readonly href: string
  readonly name: string | undefined
  readonly linked: boolean
}

function Thing({ href, name, linked }: ThingProps) {
  if (!linked || !name) return <Name fallback="something that is gone">{name}</Name>
  return <NameLink href={href}>{name}</NameLink>
}
