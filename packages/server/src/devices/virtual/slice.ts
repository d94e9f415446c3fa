import { capabilityNames, type SliceMember, type SliceRows } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { inSlices } from '../../flow/slices.ts'
import { loadModes } from '../modes/read-modes.ts'
import { indexCoverage, targetsOf } from '../policy/coverage.ts'
import { type DevicePlaces, devicePlaces, idsOf, rowsByKind } from '../policy/device-places.ts'
import { deviceKey } from '../policy/keys.ts'
import {
  findGroupsOf,
  findMembersOf,
  readMembersWithin,
  sliceMember,
  type WholeMember,
} from '../policy/members.ts'
import { withOverlay } from '../policy/overlay.ts'
import { loadPlaces } from '../policy/places.ts'
import { loadDays } from '../policy/special-days.ts'
import { viewOf } from '../slices/organization.ts'
import type { VirtualContext } from './context.ts'

/** A virtual device has no secret, so its key has one generation. */
const generation = 1

export function virtualKey({ config }: Pick<VirtualContext, 'config'>, deviceId: string): Buffer {
  return deviceKey(config, deviceId, generation)
}

/** The most members that a virtual device can store when it goes offline. */
export const mostOfflineMembers = 20_000

/**
 * Builds what the device would have on its disk. Reads only the members that can matter, or all of them when
 * it goes offline. Returns undefined if they are too many. `db` is the transaction that locks the device:
 * waiting for a second connection while holding one can deadlock the pool.
 */
export async function buildSlice(
  context: Pick<VirtualContext, 'vault' | 'config' | 'clock' | 'zones'> & { readonly db: Database },
  organizationId: string,
  deviceId: string,
  members: readonly string[] | 'all',
): Promise<SliceRows | undefined> {
  const { db, vault } = context
  const places = await loadPlaces(db, organizationId)
  const coverage = await inSlices(organizationId, indexCoverage(places))
  const only = members === 'all' ? undefined : await findGroupsOf(db, organizationId, members)
  const view = viewOf(await loadModes(db, organizationId), places, coverage)
  const targets = targetsOf(places, coverage, deviceId)
  const needs = await inSlices(organizationId, view.needsOf(deviceId, capabilities, targets))
  const reader = { seal: '', capabilities, only, needs }
  const base = await inSlices(organizationId, devicePlaces(places, coverage, deviceId, reader))
  const days = await loadDays(db, organizationId, context.clock.now(), [...idsOf(base, 'sites')])
  const source = { places, days, zones: context.zones, view }
  const device = { device_id: deviceId, capabilities }
  const own = await inSlices(organizationId, withOverlay(base, source, device))
  const ids = members === 'all' ? await findMembersOf(db, organizationId, [...own.groups]) : members
  if (ids.length > mostOfflineMembers) return undefined
  const key = virtualKey(context, deviceId)
  const whole = ids.length === 0 ? [] : await readMembersWithin(db, vault, organizationId, ids)
  return inSlices(organizationId, assemble(own, whole, key))
}

/** A virtual device understands everything: it is of this version. */
const capabilities = new Set(capabilityNames)

function* assemble(own: DevicePlaces, members: readonly WholeMember[], key: Buffer): Steps<SliceRows> {
  const slice: Record<string, unknown[]> = {}
  for (const [kind, rows] of rowsByKind(own))
    for (const row of rows) {
      slice[kind] ??= []
      slice[kind].push(JSON.parse(row))
      yield
    }
  const sliced: SliceMember[] = []
  for (const member of members) {
    const row = sliceMember(member, own, key)
    if (row) sliced.push(row)
    yield
  }
  return { ...slice, members: sliced }
}
