import { randomFillSync } from 'node:crypto'
import { type Kind, prefixes } from '@gatehouse/api'
import { epochMilliseconds, makeId } from '@gatehouse/core'

/** Kinds that only users see of their own account, so that the API does not know them. */
const ownPrefixes = {
  user_session: 'ses',
  passkey: 'pk',
  member_session: 'mses',
  guest_mail: 'gml',
} as const
const allPrefixes = { ...prefixes, ...ownPrefixes }

const pool = new Uint8Array(7 * 512)
let used = pool.length

/** A new id that carries the milliseconds of `now`. Randomness is drawn in blocks: one call costs more than an id. */
export function newId(kind: Kind | keyof typeof ownPrefixes, now: string): string {
  if (used >= pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.subarray(used, used + 7)
  used += 7
  return makeId(allPrefixes[kind], millisecondsOf(now), random)
}

let last = { timestamp: '', milliseconds: 0 }

// Remembered, since many ids are made at the same moment.
function millisecondsOf(timestamp: string): number {
  if (last.timestamp !== timestamp) last = { timestamp, milliseconds: epochMilliseconds(timestamp) }
  return last.milliseconds
}
