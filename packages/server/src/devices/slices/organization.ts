import type { Database } from '../../database/db.ts'
import type { Clock } from '../../flow/clock.ts'
import { inSlices } from '../../flow/slices.ts'
import type { ModeSources } from '../modes/mode-sources.ts'
import { ModeView } from '../modes/mode-view.ts'
import { loadModes } from '../modes/read-modes.ts'
import { type Coverage, decidedAt, indexCoverage, readsSchedule } from '../policy/coverage.ts'
import type { ZoneTables } from '../policy/overlay.ts'
import { loadPlaces, type Places } from '../policy/places.ts'
import { loadDays, type SpecialDays } from '../policy/special-days.ts'
import type { LiveSlice } from './live-slice.ts'

/** An organization with devices connected to this process. */
export interface LiveOrganization {
  readonly id: string
  places: Places
  coverage: Coverage
  days: SpecialDays
  modes: ModeSources
  view: ModeView
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
  const days = await loadDays(db, id, now)
  const modes = await loadModes(db, id)
  return { places, coverage, days, modes, view: viewOf(modes, places, coverage), as_of: asOf(now, zones) }
}

/** To be made anew when places or modes have changed. */
export function viewOf(modes: ModeSources, places: Places, coverage: Coverage): ModeView {
  const { gadgets_of_device } = coverage
  const reachedFrom = (deviceId: string) => decidedAt(places, coverage, deviceId)
  const index = { gadgets: places.gadgets, tags: places.tags, gadgets_of_device, reachedFrom }
  return new ModeView(modes, index, (capabilities, id) => readsSchedule(capabilities, places, id))
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
