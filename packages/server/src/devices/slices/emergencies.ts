import type { SliceKind } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { Clock } from '../../flow/clock.ts'
import { inSlices } from '../../flow/slices.ts'
import {
  type DevicePlaces,
  difference,
  idOf,
  joinHash,
  kindOf,
  partsOfHash,
  pushTo,
  withEmergencies,
} from '../policy/device-places.ts'
import { emit } from './emit.ts'
import type { LiveSlice, Outgoing } from './live-slice.ts'
import type { LiveOrganization } from './organization.ts'

interface EmergencyContext {
  readonly db: Database
  readonly clock: Clock
}

/** Devices that are told at once. */
const atOnce = 20

/**
 * Sends the emergencies that concern a device, in a delta of their own, before everything else that changed. What a
 * device gets, it answers: so a few are told at a time, and `rest` is called between, when requests are served.
 */
export async function applyEmergencies(
  context: EmergencyContext,
  organization: LiveOrganization,
  rest: () => Promise<void>,
): Promise<void> {
  const all = [...organization.slices]
  for (let start = 0; start < all.length; start += atOnce) {
    const some = all.slice(start, start + atOnce).filter(slice => organization.slices.has(slice))
    const outgoing = await changedOf(organization, some)
    await emit(context, outgoing, undefined)
    if (outgoing.size > 0 && start + atOnce < all.length) await rest()
  }
}

async function changedOf(
  { id, view }: LiveOrganization,
  slices: readonly LiveSlice[],
): Promise<Map<LiveSlice, Outgoing>> {
  const outgoing = new Map<LiveSlice, Outgoing>()
  for (const slice of slices) {
    const before = slice.places
    const after = await inSlices(id, emergenciesOf(view, slice))
    if (after.hash === before.hash) continue
    slice.places = after
    if (!slice.is_loading) outgoing.set(slice, difference(before, after))
    else if (slice.version + 1 < slice.hears_below)
      outgoing.set(slice, { ...difference(before, after), places_hash: heldHash(slice) })
  }
  return outgoing
}

function* emergenciesOf(
  view: LiveOrganization['view'],
  { capabilities, device_id, places }: LiveSlice,
): Steps<DevicePlaces> {
  const { emergencies } = yield* view.rowsOf(device_id, capabilities)
  return yield* withEmergencies(places, emergencies)
}

/**
 * Sends the emergencies as a whole to a device that may hold others, whatever else it holds: before the rest,
 * which may take long. One that has ended meanwhile is only removed.
 */
export async function sendEmergencies(context: EmergencyContext, slice: LiveSlice): Promise<void> {
  const { places, places_hash, stale } = slice
  if (partsOfHash(places_hash).emergencies === partsOfHash(places.hash).emergencies) return
  const put = new Map<SliceKind, string[]>()
  for (const row of places.emergencies.values()) pushTo(put, 'emergencies', row)
  const remove = removals(stale, key => kindOf(key) === 'emergencies' && !places.emergencies.has(key))
  await emit(context, new Map([[slice, { put, remove, places_hash: heldHash(slice) }]]), undefined)
}

/** What a device holds once it has the present emergencies beside what it held before. */
function heldHash({ places, places_hash }: LiveSlice): string {
  return joinHash({ ...partsOfHash(places_hash), emergencies: partsOfHash(places.hash).emergencies })
}

/**
 * Returns the emergencies that began or changed since the places of a snapshot were read, and those that have ended, as
 * over: they go into its last part, so that a door does not fall back into another mode when the snapshot is adopted.
 */
export function changedEmergencies(before: DevicePlaces, after: DevicePlaces, now: string): string[] {
  const ended = [...before.emergencies].filter(([key]) => !after.emergencies.has(key))
  const changed = [...after.emergencies].filter(([key, row]) => before.emergencies.get(key) !== row)
  return [
    ...ended.map(([, row]) => JSON.stringify({ ...JSON.parse(row), ends_at: now })),
    ...changed.map(([, row]) => row),
  ]
}

/** Returns what a device may hold, and should not. */
export function removals(stale: Iterable<string>, isGone: (key: string) => boolean): Outgoing['remove'] {
  const removed = new Map<SliceKind, string[]>()
  for (const key of stale) if (isGone(key)) pushTo(removed, kindOf(key), idOf(key))
  return Object.fromEntries(removed)
}
