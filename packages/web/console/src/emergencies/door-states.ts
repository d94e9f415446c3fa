import { momentWords, zoneAt } from '../events/event-time.tsx'
import { t } from '../language/t.ts'
import { type Emergency, isActive } from './emergency.ts'
import { hindranceOf, holdsOpen } from './plan-outcome.ts'
import type { DoorState, EmergencyDoor } from './use-doors.ts'

interface State {
  readonly label: string
  readonly tone: 'good' | 'warn' | 'bad'
  readonly about: string
}

const states: Record<DoorState, State> = {
  confirmed: { label: 'Confirmed', tone: 'good', about: 'Locked.' },
  sent: { label: 'Sent', tone: 'warn', about: 'Not confirmed yet.' },
  offline: { label: 'Offline', tone: 'bad', about: 'Nothing has changed there.' },
  cannot_hold: { label: 'Not possible', tone: 'bad', about: 'It cannot follow.' },
  failed: { label: 'Failed', tone: 'bad', about: 'The hardware failed.' },
}

/** After the end: whether the end has arrived. */
const ended: Record<DoorState, State> = {
  confirmed: { label: 'Ended', tone: 'good', about: 'As usual again.' },
  sent: { label: 'Ending', tone: 'warn', about: 'Not confirmed yet.' },
  offline: { label: 'Not ended', tone: 'bad', about: 'Not arrived. It goes on.' },
  cannot_hold: { label: 'Not possible', tone: 'bad', about: 'It did not follow.' },
  failed: { label: 'Failed', tone: 'bad', about: 'The hardware failed.' },
}

export function stateOf(state: DoorState, is_ended: boolean): State {
  return (is_ended ? ended : states)[state]
}

/** Says what a state means for a door of the emergency. */
export function stateWords(emergency: Emergency, door: EmergencyDoor): string {
  const { state, holds_until, gadget } = door
  const is_ended = !isActive(emergency)
  if (is_ended && state !== 'confirmed' && holds_until)
    return t(`Not arrived. Holds until ${momentWords(holds_until, zoneAt(gadget?.site, holds_until))}.`)
  const { about } = stateOf(state, is_ended)
  if (is_ended || !gadget) return about
  if (state === 'cannot_hold') return hindranceOf(emergency, gadget) ?? about
  return state === 'confirmed' && holdsOpen(emergency, gadget) ? t('Held open.') : about
}
