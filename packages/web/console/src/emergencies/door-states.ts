import { formatMoment } from '../parts/time.tsx'
import type { DoorState, EmergencyDoor } from './use-doors.ts'

interface Told {
  readonly label: string
  readonly tone: 'good' | 'warn' | 'bad'
  readonly about: string
}

const states: Record<DoorState, Told> = {
  confirmed: { label: 'Confirmed', tone: 'good', about: 'Its device has done it.' },
  sent: { label: 'Sent', tone: 'warn', about: 'Its device has not confirmed it yet.' },
  offline: { label: 'Offline', tone: 'bad', about: 'Its device is offline: nothing has changed there.' },
  cannot_hold: { label: 'Cannot', tone: 'bad', about: 'No door, or one that cannot be held open.' },
  failed: { label: 'Failed', tone: 'bad', about: 'Its device tried, and the hardware failed.' },
}

/** After the end: whether the end has arrived. */
const ended: Record<DoorState, Told> = {
  confirmed: { label: 'Ended', tone: 'good', about: 'Its device follows it no longer.' },
  sent: { label: 'Ending', tone: 'warn', about: 'Its device has not confirmed the end yet.' },
  offline: { label: 'Not ended', tone: 'bad', about: 'Its device is offline and goes on with it.' },
  cannot_hold: { label: 'Cannot', tone: 'bad', about: 'It did not follow.' },
  failed: { label: 'Failed', tone: 'bad', about: 'Its device tried to end it, and the hardware failed.' },
}

type DoorLike = Pick<EmergencyDoor, 'state'> & { readonly holds_until?: string | null }

export function toldState({ state, holds_until }: DoorLike, is_ended: boolean): Told {
  const told = (is_ended ? ended : states)[state]
  if (!is_ended || state === 'confirmed' || !holds_until) return told
  return { ...told, about: `Ending, not arrived. It holds until ${formatMoment(holds_until)}.` }
}
