import type { PassKey } from '@gatehouse-access/api'
import type { Logger } from 'pino'
import type { Database } from '../../database/db.ts'
import { type Moment, momentOf } from '../../database/moment.ts'
import type { Clock } from '../../flow/clock.ts'
import { present } from '../../flow/present.ts'
import type { Timers } from '../../flow/timers.ts'
import type { Vault } from '../../vault/vault.ts'
import { type Changes, changedMembers, findChanges, noneChanged, staleModes } from '../policy/changes.ts'
import { partsOfHash } from '../policy/device-places.ts'
import { findConcerned } from '../policy/members.ts'
import type { ZoneTables } from '../policy/overlay.ts'
import { readVersions, storeVersions, type Version } from '../policy/versions.ts'
import type { AppliedVersions } from './applied.ts'
import { sendMissed, sendOverlay } from './apply.ts'
import { changedEmergencies, sendEmergencies } from './emergencies.ts'
import type { Lane, Lanes } from './lanes.ts'
import { type LiveSlice, ofDevice, takeVersions } from './live-slice.ts'
import { type SentParts, sendSnapshot } from './snapshot.ts'
import { type SnapshotTurn, SnapshotTurns } from './snapshot-turns.ts'

interface LoadingContext {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly log: Logger
  readonly timers: Timers
  readonly zones: ZoneTables
}

/** State that loading shares with the change watcher. */
interface LoadingParts {
  readonly pass_keys: readonly PassKey[]
  readonly applied: AppliedVersions
  readonly lanes: Lanes
  /** Milliseconds after which a device that does not read its snapshot loses its slot to others. */
  readonly stall?: number
}

/** More missed members than this are sent as a snapshot. */
const mostMissed = 5000
/** Versions left free below a snapshot, for emergencies that begin, are renewed or end meanwhile. */
const roomBelow = 1000

interface Loading {
  /** A stored version that the device has. */
  readonly held?: Version | undefined
  /** It is also the latest that was stored. */
  readonly isWanted?: boolean
  /** Everything up to this moment is in the places of the slice, in its members or in `missed`. */
  readonly moment?: Moment
}

/** Brings a slice up to date from the device's version or from nothing. Deltas take over from there. */
export class SliceLoader {
  #context: LoadingContext
  #parts: LoadingParts
  #snapshots: SnapshotTurns

  constructor(context: LoadingContext, parts: LoadingParts) {
    this.#context = context
    this.#parts = parts
    this.#snapshots = new SnapshotTurns(context.timers, parts.stall)
  }

  load(slice: LiveSlice, loading: Loading = {}): void {
    this.#load(slice, loading).catch(error => this.fail(slice, error))
  }

  /**
   * Must run in a turn, when the database has begun a new epoch. A slice continues from its version if the
   * database still knows it, else from a snapshot. A slice that was loading has to reconnect.
   */
  async revalidate(slice: LiveSlice, wasLoading: boolean): Promise<void> {
    if (wasLoading) return this.fail(slice, new Error('the database has begun an epoch'))
    const stored = await readVersions(this.#context.db, slice.organization_id, slice.device_id)
    const held = stored.known.find(({ version, hash }) => version === stored.version && hash === slice.hash)
    slice.version = Math.max(slice.version, stored.version)
    slice.epoch = slice.moment.epoch
    slice.sent = slice.sent.flatMap(sent => (held && sent.version === held.version ? [held] : []))
    this.load(slice, { held, isWanted: true })
  }

  reload(slice: LiveSlice): void {
    slice.hears_below = 0
    if (slice.is_loading) {
      slice.needs_snapshot = true
      return
    }
    slice.is_loading = true
    this.load(slice)
  }

  /** Must run in a turn, after the places of a live slice changed. Sends members that moved with them. */
  async catchUp(slice: LiveSlice): Promise<void> {
    if (isOutdated(slice)) {
      slice.missed.clear()
      this.reload(slice)
    } else await sendMissed(this.#context, slice, slice.moment)
  }

  fail(slice: LiveSlice, error: unknown): void {
    this.#context.log.warn({ err: error, device_id: slice.device_id }, 'a slice could not be sent')
    slice.link.end('failed', 'the policy could not be sent; reconnect')
  }

  async #load(slice: LiveSlice, { held, isWanted = false, moment = slice.moment }: Loading): Promise<void> {
    let parts: SentParts | undefined
    const changed = held && (await this.#changedSince(slice, held))
    const isBase = held && partsOfHash(held.places_hash).base === slice.places.base_hash
    const missed = isBase && changed ? await this.#missedOf(slice, changed) : undefined
    if (held && missed) {
      if (!(await this.#rewind(slice, held, isWanted))) return
      for (const id of missed) slice.missed.add(id)
      if (slice.sent.length === 0) this.#parts.applied.add(slice, held)
    } else {
      if (held && changed) await this.#inTurn(slice, () => this.#tellEmergencies(slice, held, isWanted))
      parts = await this.#snapshots.pass(slice.organization_id, turn => this.#sendParts(slice, turn))
      if (!parts) return
    }
    await this.#inTurn(slice, lane => this.#goLive(slice, lane, parts && { ...parts, moment }))
  }

  /** Sent versions that never arrived are rebuilt from the one that the device holds. */
  async #rewind(slice: LiveSlice, held: Version, isWanted: boolean): Promise<boolean> {
    if (!isWanted && !(await this.#store(slice, held, this.#context.clock.now()))) return false
    const { version, hash, places_hash } = held
    Object.assign(slice, { version, hash, places_hash, moment: momentOf(held) })
    return true
  }

  /** A snapshot may take minutes: a device that holds something hears of emergencies before it and meanwhile. */
  async #tellEmergencies(slice: LiveSlice, held: Version, isWanted: boolean): Promise<void> {
    if (!this.#isOpen(slice) || !(await this.#rewind(slice, held, isWanted))) return
    await this.#listen(slice)
  }

  async #listen(slice: LiveSlice): Promise<void> {
    await sendEmergencies(this.#context, slice)
    slice.hears_below = Number.POSITIVE_INFINITY
  }

  /** Returns what changed in the organization since then. Undefined if that is too much. */
  async #changedSince(slice: LiveSlice, held: Version): Promise<Changes | undefined> {
    const { organization_id } = slice
    const { changes, is_complete } = await findChanges(this.#context.db, [organization_id], held, 20_000)
    if (!is_complete) return undefined
    const changed = changes.get(organization_id) ?? noneChanged()
    slice.stale = new Set([...staleModes(changed), ...this.#heldModes(slice)])
    return changed
  }

  async #missedOf(slice: LiveSlice, changed: Changes): Promise<string[] | undefined> {
    const { db } = this.#context
    const { organization_id } = slice
    const members = await changedMembers(db, organization_id, changed)
    const concerned = await findConcerned(db, organization_id, members, [...slice.places.groups])
    return concerned.length > mostMissed ? undefined : concerned
  }

  async #sendParts(slice: LiveSlice, turn: SnapshotTurn): Promise<SentParts | undefined> {
    if (!this.#isOpen(slice)) return undefined
    const { db, vault } = this.#context
    slice.needs_snapshot = false
    slice.sent = []
    const version = slice.version + (slice.hears_below > 0 ? roomBelow : 1)
    if (slice.hears_below > 0) slice.hears_below = version
    const { emergencies, overlay, rows } = slice.places
    // The device may hold them in the end, although they are gone by then.
    for (const key of [...emergencies.keys(), ...overlay.keys()]) if (!rows.has(key)) slice.stale.add(key)
    const sent = await sendSnapshot({ db, vault, pass_keys: this.#parts.pass_keys, turn }, slice, version)
    if (!sent) slice.link.end('too_slow', 'the device does not read its snapshot')
    return sent
  }

  /** Must run in a turn, so that no delta of the version before comes after the snapshot. */
  async #endSnapshot(slice: LiveSlice, { version, places, end, moment }: SentParts & { moment: Moment }) {
    const now = this.#context.clock.now()
    const { frames, hash } = end(changedEmergencies(places, slice.places, now))
    const made: Version = { version, hash, places_hash: places.hash, ...moment }
    if (!(await this.#store(slice, made, now))) return false
    takeVersions(slice, [made])
    for (const frame of frames) slice.link.send(frame)
    return true
  }

  async #store(slice: LiveSlice, version: Version, at: string): Promise<boolean> {
    const stored = await storeVersions(this.#context.db, [ofDevice(slice, version, at)])
    if (stored.size === 0) slice.link.end('replaced', 'the device is connected elsewhere')
    return stored.size > 0
  }

  /** Must run in a turn, so that nothing changes between the last missed member and the first delta. */
  async #goLive(
    slice: LiveSlice,
    lane: Lane,
    parts: (SentParts & { moment: Moment }) | undefined,
  ): Promise<void> {
    if (!this.#isOpen(slice)) return
    if (parts && !(await this.#endSnapshot(slice, parts))) return
    const moment = present(lane.moment, 'the moment of an organization')
    if (isOutdated(slice)) {
      if (slice.hears_below > 0) await this.#listen(slice)
      slice.missed.clear()
      slice.needs_snapshot = false
      this.load(slice, { moment })
      return
    }
    slice.hears_below = 0
    slice.is_loading = false
    await sendOverlay(this.#context, slice, moment)
    slice.stale.clear()
    await sendMissed(this.#context, slice, moment)
  }

  #inTurn<T>({ organization_id }: LiveSlice, work: (lane: Lane) => Promise<T>): Promise<T> {
    return this.#parts.lanes.run(organization_id, work)
  }

  #isOpen(slice: LiveSlice): boolean {
    return this.#parts.lanes.of(slice)?.organization?.slices.has(slice) ?? false
  }

  /** Returns the rows that set modes and that a device may hold from before, by `kind id`. */
  #heldModes(slice: LiveSlice): Iterable<string> {
    return this.#parts.lanes.of(slice)?.organization?.view.heldBy(slice.device_id) ?? []
  }
}

function isOutdated({ needs_snapshot, missed }: LiveSlice): boolean {
  return needs_snapshot || missed.size > mostMissed
}
