import { optional } from '../kit/compounds.ts'
import { field } from '../kit/field.ts'
import { flag, text, timestamp } from '../kit/scalars.ts'

/** Left out of slices while it is not suspended, so that rows from before stay as they are. */
const suspendedPart = {
  part: optional(flag, 'True while it is suspended. Defaults to false.'),
  make: (value: boolean) => value || null,
}
const untilPart = { part: optional(timestamp, 'When the suspension ends by itself. Absent: it does not.') }

const isSuspended = { edit: true, initial: false, engine: true } as const
const until = {
  about:
    'When the suspension ends by itself, to the second at every door, also offline. Null: it lasts until it is lifted.',
  example: null,
  edit: true,
  nullable: true,
  engine: true,
} as const

const suspended_reason = field(text(500), {
  personal: 'free',
  about: 'Why it is suspended, for administrators. The guest page never shows it, and devices never get it.',
  example: null,
  edit: true,
  nullable: true,
})

const lifted =
  'False lifts the suspension, and clears `suspended_until` and `suspended_reason`. An end that has passed is lifted by the service a moment later; doors go by the second.'

/** The fields of something that devices are sent and that can be suspended. */
export function suspendable(about: string) {
  return {
    is_suspended: field(flag, {
      ...isSuspended,
      about: `${about} ${lifted}`,
      filter: 'equal',
      slice: suspendedPart,
    }),
    suspended_until: field(timestamp, { ...until, slice: untilPart }),
    suspended_reason,
  }
}

/** The fields of a credential. Devices get those of PINs and cards with their hashes, and of others by ID. */
export function suspendableCredential() {
  return {
    is_suspended: field(flag, {
      ...isSuspended,
      about: `True while it is refused, like a deleted one, whatever else the member may use. ${lifted}`,
    }),
    suspended_until: field(timestamp, until),
    suspended_reason,
  }
}

/** What a slice says of a suspended PIN or card. */
export const suspensionParts = { is_suspended: suspendedPart.part, suspended_until: untilPart.part }
