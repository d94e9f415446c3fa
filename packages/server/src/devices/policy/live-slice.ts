import type { DeviceClosing, SliceKind, SliceRemovals } from '@gatehouse/api'
import { type Moment, momentOf } from '../../database/moment.ts'
import type { DevicePlaces } from './device-places.ts'
import { deltaFrame, splitPuts } from './frames.ts'
import { hashFrames } from './keys.ts'
import type { Version, VersionOfDevice } from './versions.ts'

/** Where the frames of one device go. */
export interface SliceLink {
  send(frame: string): void
  /** Waits until the device has taken it, however long; false when the connection ends before. */
  sendAndWait(frame: string): Promise<boolean>
  end(closing: DeviceClosing, message: string): void
}

/**
 * The slice of a device that is connected here.
 *
 *   loading ── the snapshot was sent, or the version it has is known ──▶ live ── deltas
 *      ▲                                                               │
 *      └──────────────── the device asked for a resync ◀───────────────┘
 *
 * While it is loading, members that change are `missed` and sent afterwards, so none is ever lost between both.
 */
export interface LiveSlice {
  readonly organization_id: string
  readonly device_id: string
  readonly connection_id: string
  readonly generation: number
  readonly key: Buffer
  readonly link: SliceLink
  places: DevicePlaces
  version: number
  hash: string
  /** The places that `version` holds; they may have changed since and not be sent yet. Empty: half of a change. */
  places_hash: string
  /** Everything of this moment is in `version`, or among what is missed. */
  moment: Moment
  /** Sent and not yet confirmed, oldest first. */
  sent: Version[]
  is_loading: boolean
  /** What is being sent is out of date: begin again. */
  needs_snapshot: boolean
  /** Members that are yet to be sent: changed while it was loading, or moved in or out with a group. */
  missed: Set<string>
}

/** Changes on their way to one device. */
export interface Outgoing {
  readonly put: Map<SliceKind, string[]>
  readonly remove: { [Kind in SliceKind]?: string[] }
}

export function noChanges(): Outgoing {
  return { put: new Map(), remove: {} }
}

export function putRow({ put }: Outgoing, kind: SliceKind, json: string): void {
  const rows = put.get(kind)
  if (rows) rows.push(json)
  else put.set(kind, [json])
}

export function removeRow({ remove }: Outgoing, kind: SliceKind, id: string): void {
  const ids = remove[kind]
  if (ids) ids.push(id)
  else remove[kind] = [id]
}

export interface Draft {
  readonly frames: readonly string[]
  readonly versions: readonly Version[]
}

/** The frames of a change and the versions they lead to; nothing of the slice is changed yet. */
export function draftDelta(slice: LiveSlice, { put, remove }: Outgoing, moment: Moment): Draft {
  const parts = splitPuts(put)
  const frames: string[] = []
  const versions: Version[] = []
  let [version, hash] = [slice.version, slice.hash]
  for (const [index, puts] of parts.entries()) {
    const removed: SliceRemovals = index === 0 ? remove : {}
    const head = { device_id: slice.device_id, from: version, to: version + 1, previous_hash: hash }
    const frame = deltaFrame(head, puts, removed)
    hash = hashFrames([frame])
    version++
    frames.push(frame)
    const isLast = index === parts.length - 1
    const { epoch, snapshot } = isLast ? moment : slice.moment
    // Half of a change is nothing to build on: what is missing would never be found again.
    const places_hash = isLast && slice.missed.size === 0 ? slice.places.hash : ''
    versions.push({ version, hash, places_hash, epoch, snapshot })
  }
  return { frames, versions }
}

export function takeVersions(slice: LiveSlice, versions: readonly Version[]): void {
  const last = versions.at(-1)
  if (!last) return
  slice.sent.push(...versions)
  slice.version = last.version
  slice.hash = last.hash
  slice.places_hash = last.places_hash
  slice.moment = momentOf(last)
}

export function ofDevice(slice: LiveSlice, version: Version, at: string): VersionOfDevice {
  const { organization_id, device_id, connection_id } = slice
  return { ...version, organization_id, device_id, connection_id, at }
}
