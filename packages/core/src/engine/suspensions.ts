import { toMicroseconds } from './microseconds.ts'
import type { Suspension } from './policy-rows.ts'

/** Until when each is suspended, by number. Few ever are, so most decisions read nothing but `is_empty`. */
export interface Suspensions {
  members: Map<number, number>
  credentials: Map<number, number>
  devices: Map<number, number>
  is_empty: boolean
}

type Suspended = 'members' | 'credentials' | 'devices'

export function createSuspensions(): Suspensions {
  return { members: new Map(), credentials: new Map(), devices: new Map(), is_empty: true }
}

/** Looks up the number only if it matters: loading many rows must not cost a search for each. */
export function putSuspension(
  suspensions: Suspensions,
  kind: Suspended,
  { is_suspended, suspended_until }: Suspension,
  findNumber: () => number,
): void {
  if (!is_suspended && suspensions[kind].size === 0) return
  const number = findNumber()
  if (!is_suspended) suspensions[kind].delete(number)
  else suspensions[kind].set(number, suspended_until == null ? Infinity : toMicroseconds(suspended_until))
  const { members, credentials, devices } = suspensions
  suspensions.is_empty = members.size + credentials.size + devices.size === 0
}
