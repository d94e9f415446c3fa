import { t } from '../language/t.ts'
import { Name, NameLink } from '../parts/name.tsx'
import { useApi } from '../session/use-api.ts'
import { alarmWords } from './alarm-words.ts'
import { nameOf, type Trigger } from './trigger.ts'

interface WordsProps {
  readonly trigger: Trigger
  /** False in rows, where only the row itself is a link. */
  readonly linked?: boolean
}

/** Renders `When Gate becomes “Open”, run “Light up” on Yard light`. */
export function TriggerWords(props: WordsProps) {
  return (
    <span className="triggers-words">
      When <Source {...props} />, run <Target {...props} />
    </span>
  )
}

export function Target({ trigger, linked = false }: WordsProps) {
  const { target_gadget, target_gadget_id, target_action_id } = trigger
  return (
    <>
      “
      <strong>
        <Name>{nameOf(target_gadget?.actions, target_action_id)}</Name>
      </strong>
      ” on <Thing href={`/gadgets/${target_gadget_id}`} name={target_gadget?.name} linked={linked} />
    </>
  )
}

export function Source({ trigger, linked = false }: WordsProps) {
  const { sees_all } = useApi()
  const { source_type, source_gadget, source_gadget_id, source_schedule, source_schedule_id } = trigger
  if (source_type === 'schedule')
    return (
      <>
        {sees_all ? (
          <Thing href={`/schedules/${source_schedule_id}`} name={source_schedule?.name} linked={linked} />
        ) : (
          t('a schedule')
        )}{' '}
        {trigger.source_schedule_event === 'exit' ? 'ends' : 'starts'}
      </>
    )
  const gadget = <Thing href={`/gadgets/${source_gadget_id}`} name={source_gadget?.name} linked={linked} />
  if (source_type === 'alarm')
    return (
      <>
        the alarm “<strong>{alarmWords[trigger.source_alarm_type ?? 'door_forced']}</strong>” of {gadget}{' '}
        {trigger.source_alarm_event === 'end' ? 'ends' : 'begins'}
      </>
    )
  if (source_type === 'signal')
    return (
      <>
        {gadget} sends “
        <strong>
          <Name>{nameOf(source_gadget?.signals, trigger.source_signal_id)}</Name>
        </strong>
        ”
      </>
    )
  return (
    <>
      {gadget} becomes “
      <strong>
        <Name>{nameOf(source_gadget?.states, trigger.source_state_id)}</Name>
      </strong>
      ”
    </>
  )
}

interface ThingProps {
  readonly href: string
  readonly name: string | undefined
  readonly linked: boolean
}

function Thing({ href, name, linked }: ThingProps) {
  if (!linked || !name) return <Name fallback="a deleted item">{name}</Name>
  return <NameLink href={href}>{name}</NameLink>
}
