import type { Database } from '../../database/db.ts'
import type { Moment } from '../../database/moment.ts'
import type { Clock } from '../../flow/clock.ts'
import { inSlices } from '../../flow/slices.ts'
import type { Vault } from '../../vault/vault.ts'
import { indexCoverage } from './coverage.ts'
import { devicePlaces, difference } from './device-places.ts'
import { addMember, emit, outgoingOf } from './emit.ts'
import { rememberGroups } from './known-groups.ts'
import { type LiveSlice, noChanges, type Outgoing } from './live-slice.ts'
import { findMembersOf, readMembers } from './members.ts'
import { indexSlices, type LiveOrganization } from './organization.ts'

interface ApplyContext {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
}

/** Members read and sent at a time. */
const chunkSize = 500

/**
 * Sends every device of an organization what changed in its places. Members that move in or out with a group are `missed`
 * afterwards; where a slice has to be made anew, it `needs_snapshot`.
 */
export async function applyPlaces(
  context: ApplyContext,
  organization: LiveOrganization,
  sealOf: (key: Buffer) => string,
): Promise<void> {
  organization.coverage = await inSlices(organization.id, indexCoverage(organization.places))
  const outgoing = new Map<LiveSlice, Outgoing>()
  const moved = new Map<string, string[]>()
  for (const slice of organization.slices) {
    const { places, coverage } = organization
    const before = slice.places
    const after = await inSlices(
      organization.id,
      devicePlaces(places, coverage, slice.device_id, sealOf(slice.key)),
    )
    if (after.hash === before.hash) continue
    slice.places = after
    const { put, remove, groups_added, groups_removed } = difference(before, after)
    const reads = after.takes_pins === before.takes_pins && after.takes_cards === before.takes_cards
    if (slice.is_loading || !reads) slice.needs_snapshot = true
    else outgoing.set(slice, { put, remove })
    await rememberGroups(context.db, slice, groups_added)
    const groups = [...groups_added, ...groups_removed].sort()
    const known = moved.get(groups.join(' ')) ?? (await findMembersOf(context.db, organization.id, groups))
    moved.set(groups.join(' '), known)
    for (const id of known) slice.missed.add(id)
  }
  indexSlices(organization)
  await emit(context, outgoing, undefined)
}

/** Each device that a member concerns, or may have concerned until now, gets it again or is told to remove it. */
export async function applyMembers(
  context: ApplyContext,
  organization: LiveOrganization,
  ids: readonly string[],
  moment: Moment,
): Promise<void> {
  for (const { chunk, isLast } of chunks(ids)) {
    const outgoing = new Map<LiveSlice, Outgoing>()
    for (const member of await readMembers(context.db, context.vault, organization.id, chunk)) {
      const groups = member.associations.map(({ values }) => values.member_group_id)
      const concerned = new Set(groups.flatMap(group => [...(organization.by_group.get(group) ?? [])]))
      for (const slice of concerned)
        if (slice.is_loading) slice.missed.add(member.id)
        else addMember(outgoingOf(outgoing, slice), slice, member)
    }
    await emit(context, outgoing, isLast ? moment : undefined)
  }
}

/** Sends a device what it missed; then it has everything of `moment`. */
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
