import type { Zoned } from '../form/moment-input.tsx'

/** What the API says of something that can be suspended. */
export interface Suspension {
  readonly is_suspended: boolean
  readonly suspended_until: string | null
  readonly suspended_reason: string | null
}

/** What to change: all three, or that it is lifted. */
export type SuspensionChange = Suspension | { readonly is_suspended: false }

/** Something that can be suspended, and how. */
export interface Suspendable extends Suspension {
  readonly name: string
  /** Says what a suspension means for it. */
  readonly about: string
  readonly plurals: readonly string[]
  /** By which clocks its end is told. */
  readonly zoned: Zoned
  edit(change: SuspensionChange): Promise<unknown>
}

/** True while it is suspended. An end that has passed counts, also before the service has lifted it. */
export function isSuspended({ is_suspended, suspended_until }: Suspension, now = Date.now()): boolean {
  return is_suspended && (suspended_until === null || Date.parse(suspended_until) > now)
}
