import type { SliceRows } from '@gatehouse/api'
import type { Context } from '../context.ts'
import type { Database } from '../store/db.ts'
import { deviceKey } from './keys.ts'
import { indexCoverage } from './policy/coverage.ts'
import { devicePlaces, rowsByKind } from './policy/device-places.ts'
import { findMembersOf, readMembersWithin, sliceMember } from './policy/members.ts'
import { loadPlaces } from './policy/places.ts'

/** A virtual device has no secret, so its key has one generation. */
const generation = 1

export function virtualKey({ config }: Pick<Context, 'config'>, deviceId: string): Buffer {
  return deviceKey(config, deviceId, generation)
}

/** More members than a virtual device can take along when it goes offline. */
export const mostOfflineMembers = 20_000

/**
 * What the device would have on its disk. Of the members only those that can matter are read; all of them when it goes
 * offline. Undefined when they are too many. `db` is the transaction that holds the device: who holds a connection and
 * waits for another can wait for others who do the same.
 */
export async function buildSlice(
  context: Pick<Context, 'vault' | 'config'> & { readonly db: Database },
  organizationId: string,
  deviceId: string,
  members: readonly string[] | 'all',
): Promise<SliceRows | undefined> {
  const places = await loadPlaces(context.db, organizationId)
  const own = devicePlaces(places, indexCoverage(places), deviceId, '')
  const ids = members === 'all' ? await findMembersOf(context.db, organizationId, [...own.groups]) : members
  if (ids.length > mostOfflineMembers) return undefined
  const key = virtualKey(context, deviceId)
  const whole =
    ids.length === 0 ? [] : await readMembersWithin(context.db, context.vault, organizationId, ids)
  const small = [...rowsByKind(own)].map(([kind, rows]) => [kind, rows.map(row => JSON.parse(row))])
  return {
    ...Object.fromEntries(small),
    members: whole.flatMap(member => sliceMember(member, own, key) ?? []),
  }
}
