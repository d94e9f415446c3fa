import type { Trigger } from './trigger.ts'

/** Two triggers that together do what an unlock rule does: hold a door while a schedule is open. */
interface Pair {
  readonly enter: Trigger
  readonly exit: Trigger
}

/** The doors of one site that triggers hold open by one schedule. */
export interface HoldPairs {
  readonly schedule_id: string
  readonly schedule_name: string
  readonly site_id: string
  readonly site_name: string
  readonly pairs: readonly Pair[]
}

/** Finds triggers that an unlock rule can replace: at the start of a schedule hold, at its end secure. */
export function findHoldPairs(triggers: readonly Trigger[]): readonly HoldPairs[] {
  const timed = triggers.filter(({ source_type, is_deleted }) => source_type === 'schedule' && !is_deleted)
  const pairs = timed.flatMap(enter => {
    const exit = runs(enter, 'enter', 'hold_action_id') && timed.find(other => endsWhat(enter, other))
    return exit ? [{ enter, exit }] : []
  })
  const groups = Map.groupBy(pairs, ({ enter }) => `${enter.source_schedule_id} ${enter.site_id}`)
  return [...groups.values()].map(toHoldPairs)
}

function endsWhat(enter: Trigger, other: Trigger): boolean {
  return (
    other.source_schedule_id === enter.source_schedule_id &&
    other.target_gadget_id === enter.target_gadget_id &&
    runs(other, 'exit', 'secure_action_id')
  )
}

function runs(trigger: Trigger, event: 'enter' | 'exit', part: 'hold_action_id' | 'secure_action_id') {
  const action_id = trigger.target_gadget?.door?.[part]
  return (
    trigger.source_schedule_event === event && action_id != null && trigger.target_action_id === action_id
  )
}

function toHoldPairs(pairs: readonly Pair[]): HoldPairs {
  const [{ enter }] = pairs as readonly [Pair]
  return {
    schedule_id: enter.source_schedule_id ?? '',
    schedule_name: enter.source_schedule?.name ?? '',
    site_id: enter.site_id,
    site_name: enter.site?.name ?? '',
    pairs,
  }
}
