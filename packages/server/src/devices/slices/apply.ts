import type { Steps } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { Moment } from '../../database/moment.ts'
import type { Clock } from '../../flow/clock.ts'
import { inSlices } from '../../flow/slices.ts'
import type { Vault } from '../../vault/vault.ts'
import type { ModeNeeds } from '../modes/mode-view.ts'
import { indexCoverage, targetsOf } from '../policy/coverage.ts'
import { type DevicePlaces, devicePlaces, difference, idsOf, kindOf } from '../policy/device-places.ts'
import { rememberGroups } from '../policy/known-groups.ts'
import { findHoldingErased, findMembersOf, readMembers, type WholeMember } from '../policy/members.ts'
import { overlayRows, withOverlay, type ZoneTables } from '../policy/overlay.ts'
import { removals, sendEmergencies } from './emergencies.ts'
import { addMember, emit, outgoingOf } from './emit.ts'
import { type LiveSlice, noChanges, type Outgoing } from './live-slice.ts'
import { indexSlices, type LiveOrganization, viewOf } from './organization.ts'

interface ApplyContext {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly zones: ZoneTables
  /** Called between two parts of something that takes long: emergencies overtake it. */
  hurry?(): Promise<void>
}

/** Members read and sent per batch. */
const chunkSize = 500

/**
 * Sends every device of an organization the changes to its places. Adds members that enter or leave with a
 * group to `missed`, and sets `needs_snapshot` where a delta is not enough.
 */
export async function applyPlaces(
  context: ApplyContext,
  organization: LiveOrganization,
  sealOf: (key: Buffer) => string,
): Promise<void> {
  organization.coverage = await inSlices(organization.id, indexCoverage(organization.places))
  organization.view = viewOf(organization.modes, organization.places, organization.coverage)
  await rebuild(context, organization, organization.slices, sealOf)
}

/** Sends devices what they have to know beside the modes of their doors, where that has changed. */
export async function applyNeeds(
  context: ApplyContext,
  organization: LiveOrganization,
  sealOf: (key: Buffer) => string,
): Promise<boolean> {
  const changed: LiveSlice[] = []
  for (const slice of organization.slices) {
    const needs = await inSlices(organization.id, needsOf(organization, slice))
    if (needs.signature !== slice.places.mode_needs) changed.push(slice)
  }
  if (changed.length > 0) await rebuild(context, organization, changed, sealOf)
  return changed.length > 0
}

async function rebuild(
  context: ApplyContext,
  organization: LiveOrganization,
  slices: Iterable<LiveSlice>,
  sealOf: (key: Buffer) => string,
): Promise<void> {
  const outgoing = new Map<LiveSlice, Outgoing>()
  const moved = new Map<string, string[]>()
  for (const slice of slices) {
    const before = slice.places
    const after = await placesOf(context, organization, slice, sealOf(slice.key))
    slice.places = after
    if (after.hash === before.hash) continue
    const { put, remove, groups_added, groups_removed } = difference(before, after)
    const reads = after.takes_pins === before.takes_pins && after.takes_cards === before.takes_cards
    // The overlay is sent once the slice is loaded.
    if (slice.is_loading ? after.base_hash !== before.base_hash : !reads) slice.needs_snapshot = true
    else if (!slice.is_loading) outgoing.set(slice, { put, remove })
    await rememberGroups(context.db, slice, groups_added)
    const groups = [...groups_added, ...groups_removed].sort()
    const known = moved.get(groups.join(' ')) ?? (await findMembersOf(context.db, organization.id, groups))
    moved.set(groups.join(' '), known)
    for (const id of known) slice.missed.add(id)
  }
  indexSlices(organization)
  await emit(context, outgoing, undefined)
}

/** Returns what a device is sent now, except its members. */
export function placesOf(
  { zones }: Pick<ApplyContext, 'zones'>,
  organization: LiveOrganization,
  device: Pick<LiveSlice, 'device_id' | 'capabilities'>,
  seal: string,
): Promise<DevicePlaces> {
  const { id, places, coverage } = organization
  function* build(): Steps<DevicePlaces> {
    const needs = yield* needsOf(organization, device)
    const reader = { seal, capabilities: device.capabilities, needs }
    const base = yield* devicePlaces(places, coverage, device.device_id, reader)
    return yield* withOverlay(base, { ...organization, zones }, device)
  }
  return inSlices(id, build())
}

function needsOf(
  { places, coverage, view }: Pick<LiveOrganization, 'places' | 'coverage' | 'view'>,
  { device_id, capabilities }: Pick<LiveSlice, 'device_id' | 'capabilities'>,
): Steps<ModeNeeds> {
  return view.needsOf(device_id, capabilities, targetsOf(places, coverage, device_id))
}

/** Characters of frames that are made and sent at once: some milliseconds. */
const atOnce = 1_000_000

/**
 * Sends the devices of an organization what changed in the special days or zones of their sites, or in what sets
 * the modes of their doors. A device that is loading gets it afterwards. Without `sites`, all are compared.
 */
export async function applyOverlay(
  context: ApplyContext,
  organization: LiveOrganization,
  sites?: ReadonlySet<string>,
): Promise<void> {
  const { id, slices } = organization
  const outgoing = new Map<LiveSlice, Outgoing>()
  let size = 0
  for (const slice of slices) {
    if (sites && !hasSite(slice.places, sites)) continue
    const before = slice.places
    const source = { ...organization, zones: context.zones }
    const after = await inSlices(id, withOverlay(before, source, slice))
    if (after.hash === before.hash) continue
    slice.places = after
    if (slice.is_loading) continue
    const changes = difference(before, after)
    outgoing.set(slice, changes)
    size += sizeOf(changes)
    if (size < atOnce) continue
    await emit(context, outgoing, undefined)
    outgoing.clear()
    size = 0
  }
  await emit(context, outgoing, undefined)
}

function sizeOf({ put }: Outgoing): number {
  let size = 0
  for (const rows of put.values()) for (const row of rows) size += row.length
  return size
}

function hasSite(places: DevicePlaces, sites: ReadonlySet<string>): boolean {
  for (const id of idsOf(places, 'sites')) if (sites.has(id)) return true
  return false
}

/**
 * Sends the overlay as a whole to a device that holds another one on the same base. The device then has everything
 * up to `moment`, unless members that it missed follow.
 */
export async function sendOverlay(context: ApplyContext, slice: LiveSlice, moment: Moment): Promise<void> {
  await sendEmergencies(context, slice)
  const { missed, places, places_hash, stale } = slice
  if (places_hash === places.hash) return
  const remove = removals(stale, key => kindOf(key) !== 'emergencies' && !places.overlay.has(key))
  const outgoing = new Map([[slice, { put: overlayRows(places), remove }]])
  await emit(context, outgoing, missed.size === 0 ? moment : undefined)
}

/** Sends each member, or its removal, to every device that the member concerns or may have concerned. */
export async function applyMembers(
  context: ApplyContext,
  organization: LiveOrganization,
  ids: readonly string[],
  moment: Moment,
): Promise<void> {
  for (const { chunk, isLast } of chunks(ids)) {
    await context.hurry?.()
    const outgoing = new Map<LiveSlice, Outgoing>()
    const members = await readMembers(context.db, context.vault, organization.id, chunk)
    const holding = await findHoldingErased(context.db, organization.id, members)
    for (const member of members) {
      for (const slice of concernedBy(organization, member, holding.get(member.id)))
        if (slice.is_loading) slice.missed.add(member.id)
        else addMember(outgoingOf(outgoing, slice), slice, member)
    }
    await emit(context, outgoing, isLast ? moment : undefined)
  }
}

function concernedBy(
  { slices, by_group }: LiveOrganization,
  { associations, is_erased }: WholeMember,
  holding: ReadonlySet<string> = new Set(),
): Set<LiveSlice> {
  // Once an erasure is done, nothing says any more whom the member concerned.
  if (is_erased && associations.length === 0) return slices
  const concerned = new Set(
    associations.flatMap(({ values }) => [...(by_group.get(values.member_group_id) ?? [])]),
  )
  if (holding.size > 0) for (const slice of slices) if (holding.has(slice.device_id)) concerned.add(slice)
  return concerned
}

/** Sends the missed members. The device then has everything up to `moment`. */
export async function sendMissed(context: ApplyContext, slice: LiveSlice, moment: Moment): Promise<void> {
  for (const { chunk, isLast } of chunks([...slice.missed])) {
    const outgoing = noChanges()
    for (const member of await readMembers(context.db, context.vault, slice.organization_id, chunk))
      addMember(outgoing, slice, member)
    for (const id of chunk) slice.missed.delete(id)
    await emit(context, new Map([[slice, outgoing]]), isLast ? moment : undefined)
  }
  slice.moment = moment
}

function* chunks(ids: readonly string[]): Generator<{ chunk: string[]; isLast: boolean }> {
  for (let start = 0; start < ids.length; start += chunkSize)
    yield { chunk: ids.slice(start, start + chunkSize), isLast: start + chunkSize >= ids.length }
}
