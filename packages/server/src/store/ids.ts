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

const pool = new DataView(new ArrayBuffer(8 * 512))
let used = pool.byteLength

/**
 * Returns a new id that contains the milliseconds of `now`. Those that a process makes in one millisecond ascend, so
 * what a request makes is listed in its order.
 */
export function newId(kind: Kind | keyof typeof ownPrefixes, now: string): string {
  const milliseconds = millisecondsOf(now)
  return makeId(allPrefixes[kind], milliseconds, bytesOf(nextPlace(milliseconds)))
}

/** The last place of each of the latest milliseconds. A request keeps its time, while others come later. */
const places = new Map<number, number>()
const mostPlaces = 1000

/** Returns 52 bits. The first of a millisecond leaves room for two million, each a random distance away. */
function nextPlace(milliseconds: number): number {
  const before = places.get(milliseconds)
  const [high, low] = drawRandom()
  const place = before === undefined ? (high >>> 13) * 2 ** 32 + low : before + 1 + (low >>> 2)
  if (before === undefined && places.size >= mostPlaces) forgetOldest()
  places.set(milliseconds, place)
  return place
}

function forgetOldest(): void {
  for (const oldest of places.keys()) return void places.delete(oldest)
}

/** Drawn in blocks, because a single call costs more than the rest of the id. */
function drawRandom(): readonly [high: number, low: number] {
  if (used >= pool.byteLength) {
    randomFillSync(pool)
    used = 0
  }
  used += 8
  return [pool.getUint32(used - 8), pool.getUint32(used - 4)]
}

/** The first 52 bits of seven bytes. */
function bytesOf(place: number): Uint8Array {
  for (let index = 0; index < 6; index++) bytes[index] = Math.floor(place / 2 ** (44 - 8 * index))
  bytes[6] = place % 16
  return bytes
}

const bytes = new Uint8Array(7)

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
