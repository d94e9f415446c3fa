import type { DeviceCapability, DeviceClosing, SliceKind, SliceRemovals } from '@gatehouse-access/api'
import { type Moment, momentOf } from '../../database/moment.ts'
import type { DevicePlaces } from '../policy/device-places.ts'
import { deltaFrame, splitPuts } from '../policy/frames.ts'
import { hashFrames } from '../policy/keys.ts'
import type { Version, VersionOfDevice } from '../policy/versions.ts'

/** Sends frames to one device. */
export interface SliceLink {
  send(frame: string): void
  /** Waits without a timeout for room in the socket. Returns false if the connection ends first. */
  sendAndWait(frame: string): Promise<boolean>
  end(closing: DeviceClosing, message: string): void
}

/**
 * The slice of a device that is connected to this process.
 *
 *   loading ── snapshot sent, or the device's version is known ──▶ live ── deltas
 *      ▲                                                             │
 *      └────────────── the device asked for a resync ◀───────────────┘
 *
 * Members that change during loading are `missed` and sent afterwards, so no change is lost. Emergencies do not
 * wait for a snapshot: a device that holds a version gets them as deltas of that one, between the parts.
 */
export interface LiveSlice {
  readonly organization_id: string
  readonly device_id: string
  readonly connection_id: string
  readonly generation: number
  readonly key: Buffer
  /** What the firmware of this connection understands. The version that it holds may be of another one. */
  readonly capabilities: ReadonlySet<DeviceCapability>
  readonly link: SliceLink
  places: DevicePlaces
  /** The missing capabilities that are stored with the device. */
  missing_told: string
  version: number
  hash: string
  /** Hash of the places in `version`; newer places may be unsent. Empty if `version` is part of a change. */
  places_hash: string
  /** Everything up to this moment is in `version` or in `missed`. */
  moment: Moment
  /** The epoch of the database in which the slice was last compared with it. */
  epoch: number
  /** Sent and not yet confirmed, oldest first. */
  sent: Version[]
  is_loading: boolean
  /** The version being sent is out of date: start again. */
  needs_snapshot: boolean
  /** Members still to be sent: changed during loading, or entered or left with a group. */
  missed: Set<string>
  /** While the slice is loading: the device holds `version`, and deltas of it may be numbered below this. 0 if it does not. */
  hears_below: number
  /** Rows by `kind id` that set modes and that the device may hold, although they are not in its slice now. */
  stale: Set<string>
}

/** Changes to send to one device. */
export interface Outgoing {
  readonly put: Map<SliceKind, string[]>
  readonly remove: { [Kind in SliceKind]?: string[] }
  /** Those of the removed members who were erased. */
  readonly erase?: string[]
  /** What the device holds afterwards, if that is not everything in its slice. */
  readonly places_hash?: string
}

export function noChanges(): Outgoing {
  return { put: new Map(), remove: {}, erase: [] }
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

/** Builds the frames of a change and their versions, without modifying the slice. */
export function draftDelta(slice: LiveSlice, outgoing: Outgoing, moment: Moment): Draft {
  const { put, remove, erase = [] } = outgoing
  const parts = splitPuts(put)
  const frames: string[] = []
  const versions: Version[] = []
  let [version, hash] = [slice.version, slice.hash]
  for (const [index, puts] of parts.entries()) {
    const removed: SliceRemovals = index === 0 ? remove : {}
    const head = { device_id: slice.device_id, from: version, to: version + 1, previous_hash: hash }
    const frame = deltaFrame(head, puts, removed, index === 0 ? erase : [])
    hash = hashFrames([frame])
    version++
    frames.push(frame)
    const isLast = index === parts.length - 1
    const { epoch, snapshot } = isLast ? moment : slice.moment
    // A partial change is no base for deltas: its missing part would never be sent.
    const whole = outgoing.places_hash ?? (slice.missed.size === 0 ? slice.places.hash : '')
    const places_hash = isLast ? whole : ''
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
  const { organization_id, device_id, connection_id, epoch: made_in } = slice
  return { ...version, organization_id, device_id, connection_id, made_in, at }
}
