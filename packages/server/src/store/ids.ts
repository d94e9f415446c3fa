import { randomFillSync } from 'node:crypto'
import { type Kind, prefixes } from '@gatehouse-access/api'
import { epochMilliseconds, makeId } from '@gatehouse-access/core'

/** Kinds that are not part of the API: users see them in their own account only, or operators. */
const ownPrefixes = {
  user_session: 'ses',
  passkey: 'pk',
  member_session: 'mses',
  guest_mail: 'gml',
  push_subscription: 'psb',
  instance_alarm: 'ial',
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

/** Returns what is before all ids that are made from `at` on. */
export function firstId(kind: Kind, at: string): string {
  return makeId(allPrefixes[kind], epochMilliseconds(at), new Uint8Array(7))
}

let last = { timestamp: '', milliseconds: 0 }

// Cached, because many ids are created for the same timestamp.
function millisecondsOf(timestamp: string): number {
  if (last.timestamp !== timestamp) last = { timestamp, milliseconds: epochMilliseconds(timestamp) }
  return last.milliseconds
}
