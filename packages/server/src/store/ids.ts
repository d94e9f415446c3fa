import { randomFillSync } from 'node:crypto'
import { type Kind, prefixes } from '@gatehouse-access/api'
import { epochMilliseconds, makeId } from '@gatehouse-access/core'

/** Kinds that users see only in their own account, and that are therefore not part of the API. */
const ownPrefixes = {
  user_session: 'ses',
  passkey: 'pk',
  member_session: 'mses',
  guest_mail: 'gml',
} as const
const allPrefixes = { ...prefixes, ...ownPrefixes }

const pool = new Uint8Array(7 * 512)
let used = pool.length

/**
 * Returns a new id that contains the milliseconds of `now`. Random bytes are drawn in blocks, because a
 * single call costs more than the rest of the id.
 */
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

// Cached, because many ids are created for the same timestamp.
function millisecondsOf(timestamp: string): number {
  if (last.timestamp !== timestamp) last = { timestamp, milliseconds: epochMilliseconds(timestamp) }
  return last.milliseconds
}
