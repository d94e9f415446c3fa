import type { Reason } from './engine/reasons.ts'

/** What members are not told: an attacker with a phone must not learn that there is a lockdown. */
const untold = ['supervisor_absent', 'lockdown'] as const satisfies Reason[]
type Untold = (typeof untold)[number]

/** A reason as members read it. */
export type GuestReason = Exclude<Reason, Untold> | 'door_closed'

export function isUntold(reason: string | null | undefined): reason is Untold {
  return untold.some(name => name === reason)
}

export function reasonForGuests(reason: Reason): GuestReason {
  return isUntold(reason) ? 'door_closed' : reason
}
