import type { PassKey } from '@gatehouse-access/api'
import type { Logger } from 'pino'
import type { Database } from '../../database/db.ts'
import { type Moment, momentOf } from '../../database/moment.ts'
import type { Clock } from '../../flow/clock.ts'
import type { SerialQueue } from '../../flow/serial-queue.ts'
import type { Timers } from '../../flow/timers.ts'
import type { Vault } from '../../vault/vault.ts'
import type { AppliedVersions } from './applied.ts'
import { sendMissed, sendOverlay } from './apply.ts'
import { changedMembers, findChanges } from './changes.ts'
import { baseOf } from './device-places.ts'
import { type LiveSlice, ofDevice, takeVersions } from './live-slice.ts'
import { findConcerned } from './members.ts'
import type { ZoneTables } from './overlay.ts'
import { sendSnapshot } from './snapshot.ts'
import { type SnapshotTurn, SnapshotTurns } from './snapshot-turns.ts'
import { readVersions, storeVersions, type Version } from './versions.ts'

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
  readonly turns: SerialQueue
  /** Milliseconds after which a device that does not read its snapshot loses its slot to others. */
  readonly stall?: number
  /** The moment of the last check for changes. */
  moment(): Moment
  isOpen(slice: LiveSlice): boolean
}

/** More missed members than this are sent as a snapshot. */
const mostMissed = 5000

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

  /** `held`: a stored version that the device has. `isWanted`: it is also the latest that was stored. */
  load(slice: LiveSlice, held?: Version, isWanted = false): void {
    this.#load(slice, held, isWanted).catch(error => this.fail(slice, error))
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
    slice.sent = slice.sent.flatMap(sent => (held && sent.version === held.version ? [held] : []))
    this.load(slice, held, true)
  }

  reload(slice: LiveSlice): void {
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

  async #load(slice: LiveSlice, held: Version | undefined, isWanted: boolean): Promise<void> {
    const isBase = held && baseOf(held.places_hash) === slice.places.base_hash
    const missed = isBase ? await this.#missedSince(slice, held) : undefined
    if (held && missed) {
      // Sent versions that never arrived are rebuilt from here.
      if (!isWanted && !(await this.#store(slice, held, this.#context.clock.now()))) return
      slice.version = held.version
      slice.hash = held.hash
      slice.places_hash = held.places_hash
      slice.moment = momentOf(held)
      for (const id of missed) slice.missed.add(id)
      if (slice.sent.length === 0) this.#parts.applied.add(slice, held)
    } else await this.#snapshots.pass(slice.organization_id, turn => this.#sendSnapshot(slice, turn))
    await this.#parts.turns.run(() => this.#goLive(slice))
  }

  async #missedSince(slice: LiveSlice, held: Version): Promise<string[] | undefined> {
    const { db } = this.#context
    const { organization_id } = slice
    const { changes, is_complete } = await findChanges(db, [organization_id], held, 20_000)
    const changed = changes.get(organization_id)
    if (!is_complete) return undefined
    const members = changed ? await changedMembers(db, organization_id, changed) : []
    const concerned = await findConcerned(db, organization_id, members, [...slice.places.groups])
    return concerned.length > mostMissed ? undefined : concerned
  }

  async #sendSnapshot(slice: LiveSlice, turn: SnapshotTurn): Promise<void> {
    if (!this.#parts.isOpen(slice)) return
    const { db, clock, vault } = this.#context
    slice.needs_snapshot = false
    slice.sent = []
    const { moment, places } = slice
    const version = slice.version + 1
    const sent = await sendSnapshot({ db, vault, pass_keys: this.#parts.pass_keys, turn }, slice, version)
    if (!sent) return slice.link.end('too_slow', 'the device does not read its snapshot')
    const made: Version = { version, hash: sent.hash, places_hash: places.hash, ...moment }
    if (!(await this.#store(slice, made, clock.now()))) return
    takeVersions(slice, [made])
    slice.link.send(sent.last_frame)
  }

  async #store(slice: LiveSlice, version: Version, at: string): Promise<boolean> {
    const stored = await storeVersions(this.#context.db, [ofDevice(slice, version, at)])
    if (stored.size === 0) slice.link.end('replaced', 'the device is connected elsewhere')
    return stored.size > 0
  }

  /** Must run in a turn, so that nothing changes between the last missed member and the first delta. */
  async #goLive(slice: LiveSlice): Promise<void> {
    if (!this.#parts.isOpen(slice)) return
    const moment = this.#parts.moment()
    if (isOutdated(slice)) {
      slice.missed.clear()
      slice.moment = moment
      slice.needs_snapshot = false
      this.load(slice)
      return
    }
    slice.is_loading = false
    await sendOverlay(this.#context, slice)
    await sendMissed(this.#context, slice, moment)
  }
}

function isOutdated({ needs_snapshot, missed }: LiveSlice): boolean {
  return needs_snapshot || missed.size > mostMissed
}
