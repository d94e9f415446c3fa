import { invalid } from '../errors.ts'
import { clearable, list, nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { choice, integer, localId } from '../kit/scalars.ts'
import { join, type Type } from '../kit/type.ts'

const parts = {
  release_action_id: required(localId, 'The action that unlocks for a moment. Credentials usually run it.'),
  hold_action_id: nullable(
    localId,
    'The action that keeps it unlocked. Requires `secure_action_id`. Without both, it cannot be held open.',
  ),
  secure_action_id: nullable(localId, 'The action that locks it again. Requires `hold_action_id`.'),
  exit_action_ids: optional(
    list(localId, { max: 64, unique: true }),
    'Actions that let people out, such as that of an exit reader. Defaults to none.',
  ),
  exit_signal_id: nullable(localId, 'The signal of a request to exit: a button, a handle, a motion sensor.'),
  open_state_id: nullable(localId, 'The state in which it stands open. Requires `closed_state_id`.'),
  closed_state_id: nullable(localId, 'The state in which it is closed. Requires `open_state_id`.'),
  tamper_signal_id: nullable(localId, 'The signal that its reader or box was opened.'),
  egress: optional(
    choice('mechanical', 'electric'),
    '`electric`: people cannot leave without the controller, as with a magnetic lock and a button; requires `exit_signal_id`, on which the controller runs `release_action_id`. Defaults to `mechanical`.',
  ),
  lock_type: optional(
    choice('fail_secure', 'fail_safe'),
    'What the lock does without power: `fail_secure` stays locked, `fail_safe` unlocks. Defaults to `fail_secure`.',
  ),
  on_stop: optional(
    choice('secure', 'keep'),
    'What the controller does with a held door when it stops. Defaults to `secure` for a fail-secure lock, else to `keep`.',
  ),
  release_seconds: optional(
    integer(1, 300),
    'How long after a release an opening is expected. Defaults to 5.',
  ),
  held_open_seconds: clearable(
    integer(5, 86_400),
    'How long it may stand open. Defaults to 30. Null: any time.',
  ),
}

type Given = Shape<typeof parts>
/** What a door is, with all defaults filled in. */
export type Door = { [Key in keyof Given]-?: Exclude<Given[Key], undefined> }

const given = shape(parts)
const none = {
  hold_action_id: null,
  secure_action_id: null,
  exit_action_ids: [],
  exit_signal_id: null,
  open_state_id: null,
  closed_state_id: null,
  tamper_signal_id: null,
  egress: 'mechanical',
  lock_type: 'fail_secure',
  release_seconds: 5,
  held_open_seconds: 30,
} as const

/** Fills in what the body leaves out. */
export function completeDoor(value: Given): Door {
  const on_stop = value.lock_type === 'fail_safe' ? 'keep' : 'secure'
  return { ...none, exit_action_ids: [], on_stop, ...value }
}

const pairs = [
  ['hold_action_id', 'secure_action_id'],
  ['open_state_id', 'closed_state_id'],
] as const

function checkPairs(value: Door, path: string): void {
  for (const [first, second] of pairs) {
    const [one, other] = value[first] === null ? [second, first] : [first, second]
    if (value[one] === null) continue
    const names = `${join(path, one)} is '${value[one]}'`
    if (value[other] === null)
      throw invalid(join(path, other), `${join(path, other)} is required because ${names}: give both or none`)
    if (value[one] === value[other])
      throw invalid(join(path, other), `${join(path, other)} must be another one, because ${names}`)
  }
}

/** The object is always replaced as a whole, so an edit fills in the same defaults as a create. */
export const door: Type<Given> = {
  ...given,
  parse(value, path) {
    const whole = completeDoor(given.parse(value, path))
    checkPairs(whole, path)
    if (whole.egress === 'electric' && whole.exit_signal_id === null)
      throw invalid(
        join(path, 'exit_signal_id'),
        `${join(path, 'exit_signal_id')} is required because ${join(path, 'egress')} is 'electric'`,
      )
    return whole
  },
}

const lists = { action: 'actions', state: 'states', signal: 'signals' } as const
type Listed = (typeof lists)[keyof typeof lists]

/** Returns the IDs that a door names, with the field that names each and the list that must have it. */
export function namedByDoor(value: Given): { field: string; list: Listed; id: string }[] {
  return Object.entries(value).flatMap(([field, held]) => {
    const kind = /_(action|state|signal)_ids?$/.exec(`_${field}`)?.[1] as keyof typeof lists | undefined
    if (!kind || held === null) return []
    return [held].flat().map((id, index) => ({
      field: Array.isArray(held) ? `${field}.${index}` : field,
      list: lists[kind],
      id: String(id),
    }))
  })
}

const sliceParts = { ...parts, held_open_seconds: nullable(integer(5, 86_400), 'Absent: any time.') }

/** How slices contain a door: absent for other gadgets, so that their rows stay as they were. */
export const slicedDoor = {
  part: optional(shape(sliceParts), 'What its actions, states and signals mean, if it is a door.'),
  make: (value: Given): Shape<typeof sliceParts> | null => {
    const { exit_action_ids, ...rest } = completeDoor(value)
    const kept = Object.entries(rest).filter(([, held]) => held !== null)
    const exits = exit_action_ids.length > 0 ? { exit_action_ids } : {}
    return { ...exits, ...Object.fromEntries(kept) } as Shape<typeof sliceParts>
  },
}
