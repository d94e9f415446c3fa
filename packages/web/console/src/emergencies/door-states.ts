import { formatMoment } from '../parts/time.tsx'
import type { DoorState, EmergencyDoor } from './use-doors.ts'

interface Told {
  readonly label: string
  readonly tone: 'good' | 'warn' | 'bad'
  readonly about: string
}

const states: Record<DoorState, Told> = {
  confirmed: { label: 'Confirmed', tone: 'good', about: 'Done.' },
  sent: { label: 'Sent', tone: 'warn', about: 'Not confirmed yet.' },
  offline: { label: 'Offline', tone: 'bad', about: 'Nothing has changed there.' },
  cannot_hold: {
    label: 'Not possible',
    tone: 'bad',
    about: 'Not a door, or cannot stay open.',
  },
  failed: { label: 'Failed', tone: 'bad', about: 'The hardware failed.' },
}

/** After the end: whether the end has arrived. */
const ended: Record<DoorState, Told> = {
  confirmed: { label: 'Ended', tone: 'good', about: 'As usual again.' },
  sent: { label: 'Ending', tone: 'warn', about: 'Not confirmed yet.' },
  offline: { label: 'Not ended', tone: 'bad', about: 'Not arrived. It goes on.' },
  cannot_hold: { label: 'Not possible', tone: 'bad', about: 'It did not follow.' },
  failed: { label: 'Failed', tone: 'bad', about: 'The hardware failed.' },
}

type DoorLike = Pick<EmergencyDoor, 'state'> & { readonly holds_until?: string | null }

export function toldState({ state, holds_until }: DoorLike, is_ended: boolean): Told {
  const told = (is_ended ? ended : states)[state]
  if (!is_ended || state === 'confirmed' || !holds_until) return told
  return { ...told, about: `Not arrived. Holds until ${formatMoment(holds_until)}.` }
}
