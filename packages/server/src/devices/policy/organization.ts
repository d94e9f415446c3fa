import type { Database } from '../../database/db.ts'
import type { Clock } from '../../flow/clock.ts'
import { inSlices } from '../../flow/slices.ts'
import { type Coverage, indexCoverage } from './coverage.ts'
import type { LiveSlice } from './live-slice.ts'
import type { ZoneTables } from './overlay.ts'
import { loadPlaces, type Places } from './places.ts'
import { loadDays, type SpecialDays } from './special-days.ts'

/** An organization with devices connected to this process. */
export interface LiveOrganization {
  readonly id: string
  places: Places
  coverage: Coverage
  days: SpecialDays
  as_of: string
  readonly slices: Set<LiveSlice>
  /** The slices that a change to a member of the group concerns. */
  by_group: Map<string, Set<LiveSlice>>
}

interface OrganizationContext {
  readonly db: Database
  readonly clock: Clock
  readonly zones: ZoneTables
}

export async function openOrganization(context: OrganizationContext, id: string): Promise<LiveOrganization> {
  return { id, ...(await read(context, id)), slices: new Set(), by_group: new Map() }
}

export async function reopenOrganization(
  context: OrganizationContext,
  organization: LiveOrganization,
): Promise<void> {
  Object.assign(organization, await read(context, organization.id))
}

async function read({ db, clock, zones }: OrganizationContext, id: string) {
  const now = clock.now()
  const places = await loadPlaces(db, id)
  const coverage = await inSlices(id, indexCoverage(places))
  return { places, coverage, days: await loadDays(db, id, now), as_of: asOf(now, zones) }
}

/** The day and the zone data that slices are of. */
export function asOf(now: string, { release }: ZoneTables): string {
  return `${now.slice(0, 10)} ${release}`
}

export function addSlice(organization: LiveOrganization, slice: LiveSlice): void {
  organization.slices.add(slice)
  for (const group of slice.places.groups) {
    const concerned = organization.by_group.get(group)
    if (concerned) concerned.add(slice)
    else organization.by_group.set(group, new Set([slice]))
  }
}

export function dropSlice(organization: LiveOrganization, slice: LiveSlice): void {
  organization.slices.delete(slice)
  for (const group of slice.places.groups) organization.by_group.get(group)?.delete(slice)
}

/** Rebuilds the group index after places changed. */
export function indexSlices(organization: LiveOrganization): void {
  const slices = [...organization.slices]
  organization.slices.clear()
  organization.by_group.clear()
  for (const slice of slices) addSlice(organization, slice)
}
