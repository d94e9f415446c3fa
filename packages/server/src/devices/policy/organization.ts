import type { Database } from '../../database/db.ts'
import { inSlices } from '../../flow/slices.ts'
import { type Coverage, indexCoverage } from './coverage.ts'
import type { LiveSlice } from './live-slice.ts'
import { loadPlaces, type Places } from './places.ts'

/** An organization with devices connected to this process. */
export interface LiveOrganization {
  readonly id: string
  places: Places
  coverage: Coverage
  readonly slices: Set<LiveSlice>
  /** The slices that a change to a member of the group concerns. */
  by_group: Map<string, Set<LiveSlice>>
}

export async function openOrganization(db: Database, id: string): Promise<LiveOrganization> {
  const places = await loadPlaces(db, id)
  const coverage = await inSlices(id, indexCoverage(places))
  return { id, places, coverage, slices: new Set(), by_group: new Map() }
}

export async function reopenOrganization(db: Database, organization: LiveOrganization): Promise<void> {
  organization.places = await loadPlaces(db, organization.id)
  organization.coverage = await inSlices(organization.id, indexCoverage(organization.places))
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
