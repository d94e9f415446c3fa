import type { Steps } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { Moment } from '../../database/moment.ts'
import type { Clock } from '../../flow/clock.ts'
import { inSlices } from '../../flow/slices.ts'
import { sliceMember, type WholeMember } from '../policy/members.ts'
import { storeVersions, type Version } from '../policy/versions.ts'
import {
  type Draft,
  draftDelta,
  type LiveSlice,
  noChanges,
  type Outgoing,
  ofDevice,
  putRow,
  removeRow,
  takeVersions,
} from './live-slice.ts'

interface EmitContext {
  readonly db: Database
  readonly clock: Clock
}

/** Devices whose versions are stored by one statement: some milliseconds of the event loop. */
const atOnce = 500

/**
 * Sends changes to devices of an organization, each as a new version. Versions are stored before they are sent,
 * so the service knows every version that a device reports. Without `moment`, more of the same change follows.
 */
export async function emit(
  context: EmitContext,
  outgoing: ReadonlyMap<LiveSlice, Outgoing>,
  moment: Moment | undefined,
): Promise<void> {
  const all = [...outgoing]
  for (let start = 0; start < all.length; start += atOnce)
    await emitSome(context, all.slice(start, start + atOnce), moment)
}

async function emitSome(
  { db, clock }: EmitContext,
  outgoing: readonly (readonly [LiveSlice, Outgoing])[],
  moment: Moment | undefined,
): Promise<void> {
  const [first] = outgoing
  if (!first) return
  const [{ organization_id }] = first
  const at = clock.now()
  const drafts = await inSlices(organization_id, draftAll(outgoing, moment))
  const rows = [...drafts].map(([slice, { versions }]) => ofDevice(slice, versions.at(-1) as Version, at))
  const stored = await storeVersions(db, rows)
  await inSlices(organization_id, sendAll(drafts, stored))
}

function* draftAll(
  outgoing: Iterable<readonly [LiveSlice, Outgoing]>,
  moment: Moment | undefined,
): Steps<Map<LiveSlice, Draft>> {
  const drafts = new Map<LiveSlice, Draft>()
  for (const [slice, changes] of outgoing) {
    if (!isEmpty(changes)) drafts.set(slice, draftDelta(slice, changes, moment ?? slice.moment))
    yield
  }
  return drafts
}

function* sendAll(drafts: ReadonlyMap<LiveSlice, Draft>, stored: ReadonlySet<string>): Steps<void> {
  for (const [slice, draft] of drafts) {
    if (stored.has(slice.connection_id)) send(slice, draft)
    else slice.link.end('replaced', 'the device is connected elsewhere')
    yield
  }
}

function send(slice: LiveSlice, { frames, versions }: Draft): void {
  takeVersions(slice, versions)
  for (const frame of frames) slice.link.send(frame)
}

function isEmpty({ put, remove }: Outgoing): boolean {
  return put.size === 0 && Object.keys(remove).length === 0
}

export function outgoingOf(all: Map<LiveSlice, Outgoing>, slice: LiveSlice): Outgoing {
  const known = all.get(slice)
  if (known) return known
  const made = noChanges()
  all.set(slice, made)
  return made
}

export function addMember(outgoing: Outgoing, slice: LiveSlice, member: WholeMember): void {
  const row = sliceMember(member, slice.places, slice.key)
  if (row) putRow(outgoing, 'members', JSON.stringify(row))
  else removeRow(outgoing, 'members', member.id)
  if (member.is_erased) outgoing.erase?.push(member.id)
}
