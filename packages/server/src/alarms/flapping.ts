import { addSeconds } from '@gatehouse-access/core'

/** Seconds that openings count, and that an alarm must be quiet for to flap no longer. */
export const quiet = 600
/** With more openings than these within that time, an alarm flaps. */
const most = 5

/** What is remembered of an alarm that opened again, until it has been quiet for long enough. */
export interface Flapping {
  /** When it last opened, oldest first. */
  readonly openings: readonly string[]
  /** While it flaps: when it last ended, unless it has opened since. It says so once it is quiet. */
  readonly over_at?: string
}

/** Adds an opening. `before` is the one that is known of the alarm, if nothing is remembered. */
export function addOpening(known: Flapping | undefined, before: string, at: string): Flapping {
  const since = addSeconds(at, -quiet)
  const openings = [...(known?.openings ?? [before]), at].filter(time => time > since)
  return { openings: openings.slice(-most - 1) }
}

export function isFlapping({ openings }: Flapping): boolean {
  return openings.length > most
}

/** When the alarm has been quiet for long enough, if nothing happens to it. */
export function quietAt({ openings, over_at = '' }: Flapping): string {
  const last = openings.at(-1) ?? ''
  return addSeconds(over_at > last ? over_at : last, quiet)
}
