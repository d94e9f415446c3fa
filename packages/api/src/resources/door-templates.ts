import { completeDoor, type Door } from './gadget-door.ts'

interface Named {
  readonly id: string
  readonly name: string
}

/** What a new gadget of a common kind can do. */
export interface DoorTemplate {
  readonly actions: readonly Named[]
  readonly states: readonly Named[]
  readonly signals: readonly Named[]
  readonly door: Door
}

const open = { id: 'open', name: 'Open' }
const holding = [
  { id: 'hold', name: 'Keep unlocked' },
  { id: 'secure', name: 'Lock' },
]
const contact = [
  { id: 'closed', name: 'Closed' },
  { id: 'open', name: 'Open' },
]
const button = [{ id: 'exit', name: 'Exit button' }]

const simple = { release_action_id: 'open', open_state_id: 'open', closed_state_id: 'closed' }
const holdable = { ...simple, hold_action_id: 'hold', secure_action_id: 'secure', exit_signal_id: 'exit' }

/** The doors that people start from. The console, the demo and products with one gadget use them. */
export const doorTemplates = {
  plain: { actions: [open], states: contact, signals: [], door: completeDoor(simple) },
  holdable: { actions: [open, ...holding], states: contact, signals: button, door: completeDoor(holdable) },
  magnetic: {
    actions: [open, ...holding],
    states: contact,
    signals: button,
    door: completeDoor({ ...holdable, egress: 'electric', lock_type: 'fail_safe' }),
  },
} satisfies Record<string, DoorTemplate>
