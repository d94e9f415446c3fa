import { t } from '../language/t.ts'
import type { Door } from '../overview/door.ts'
import type { Plan } from './emergency.ts'

export type Outcome = 'locked' | 'held_open' | 'cannot'

export interface PlannedDoor {
  readonly door: Door
  readonly outcome: Outcome
  /** Why it cannot, or what would be in the way now. */
  readonly problem: string | null
}

type PlanLike = Pick<Plan, 'type' | 'unlocked_gadget_ids'>
type DoorLike = Pick<Door, 'id' | 'door'>

/** Whether a plan holds a door open. Otherwise it locks it. */
export function holdsOpen({ type, unlocked_gadget_ids }: PlanLike, { id }: Pick<Door, 'id'>): boolean {
  return type === 'evacuation' || unlocked_gadget_ids.includes(id)
}

/** Says why a door cannot follow a plan. Null if it can. */
export function hindranceOf(plan: PlanLike, gadget: DoorLike): string | null {
  if (!gadget.door) return t('Not set up as a door.')
  return holdsOpen(plan, gadget) && !gadget.door.hold_action_id
    ? t('It has no action that keeps it unlocked.')
    : null
}

/** Returns what a plan would do to a door that it concerns. */
export function outcomeOf(plan: PlanLike, door: Door): PlannedDoor {
  const hindrance = hindranceOf(plan, door)
  if (hindrance) return { door, outcome: 'cannot', problem: hindrance }
  return { door, outcome: holdsOpen(plan, door) ? 'held_open' : 'locked', problem: obstacleOf(door) }
}

function obstacleOf({ device }: Door): string | null {
  if (device && !device.status.online) return t('Its device is offline and would hear of it later.')
  if (device?.status.missing_capabilities?.includes('door_modes'))
    return t('Its device is too old for modes: it only denies everybody who is not exempt.')
  return null
}

const rank: Record<Outcome, number> = { cannot: 0, locked: 2, held_open: 2 }

/** Problems first, then by name. */
export function byProblem(a: PlannedDoor, b: PlannedDoor): number {
  const rankOf = ({ outcome, problem }: PlannedDoor) => (problem === null ? 3 : rank[outcome])
  return rankOf(a) - rankOf(b) || a.door.name.localeCompare(b.door.name)
}
