import { setTimeout as sleep } from 'node:timers/promises'
import type { FromDevice, PassKey } from '@gatehouse/api'
import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Feed } from '../../events/feed.ts'
import type { Pool } from '../../store/db.ts'
import type { Vault } from '../../vault.ts'
import { deviceKey } from '../keys.ts'
import { passKeysOf } from '../passes.ts'
import { AppliedVersions } from './applied.ts'
import { applyMembers, applyPlaces, sendMissed } from './apply.ts'
import { type Changes, changedMembers, findChanges } from './changes.ts'
import { devicePlaces } from './device-places.ts'
import { type LiveSlice, ofDevice, type SliceLink, takeVersions } from './live-slice.ts'
import { findConcerned } from './members.ts'
import { addSlice, dropSlice, type LiveOrganization, openOrganization } from './organization.ts'
import { rereadPlaces } from './places.ts'
import { sendSnapshot } from './snapshot.ts'
import { Gate, Turns } from './turns.ts'
import { readVersions, storeVersions, type Version } from './versions.ts'

export interface PushContext {
  readonly db: Pool
  readonly clock: Clock
  readonly vault: Vault
  readonly log: Logger
  readonly feed: Feed
  readonly config: Pick<Config, 'secret_keys'>
}

export interface Admitted {
  readonly organization_id: string
  readonly device_id: string
  readonly connection_id: string
}

/** Called when devices may no longer be connected: their secret, they themselves or all of the organization changed. */
export type Recheck = (organizationId: string, devices: ReadonlySet<string> | undefined) => void

type Claim = FromDevice<'hello'>['policy']

/** Milliseconds. */
const longestWait = 1000
const shortestWait = 5
/** More changes than this are sent as a snapshot. */
const mostMissed = 5000

/**
 * Keeps the slices of connected devices up to date. One look at the log of events a tick, for all organizations with
 * devices here, tells what changed since the last; a change to a member costs one read of that member and one
 * frame for each device that it concerns. No member is kept in memory: a device's version is the chain of what it was sent.
 *
 * Ticks and the coming and going of slices take turns, so that no slice misses a change that a tick has seen.
 */
export class PolicyPush implements AsyncDisposable {
  #context: PushContext
  #recheck: Recheck
  #passKeys: readonly PassKey[]
  #organizations = new Map<string, LiveOrganization>()
  #turns = new Turns()
  #snapshots = new Gate(4)
  #snapshot: string | undefined
  #applied: AppliedVersions
  #end = new AbortController()
  #running: Promise<void>[] = []

  constructor(context: PushContext, recheck: Recheck) {
    this.#context = context
    this.#recheck = recheck
    this.#passKeys = passKeysOf(context.config)
    this.#applied = new AppliedVersions(context)
  }

  start(): void {
    this.#running = [this.#watch(), this.#applied.run(this.#end.signal)]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await Promise.all(this.#running)
  }

  /** A device was let in: from `begin` on its slice is sent and kept up to date. */
  async open(
    admitted: Admitted,
    claim: Claim,
    link: SliceLink,
  ): Promise<{ slice: LiveSlice; begin(): void }> {
    const { db } = this.#context
    const { organization_id, device_id } = admitted
    const stored = await readVersions(db, organization_id, device_id)
    const slice = await this.#turns.take(() => this.#register(admitted, stored.generation, link))
    const held = claim ? stored.known.find(known => isSame(known, claim)) : undefined
    slice.version = Math.max(stored.version, claim?.version ?? 0)
    const begin = () => void this.#load(slice, held).catch(error => this.#fail(slice, error))
    return { slice, begin }
  }

  /** What a device confirmed holds as of the last look, also where nothing was sent since. */
  close(slice: LiveSlice): void {
    const organization = this.#organizations.get(slice.organization_id)
    if (!organization?.slices.has(slice)) return
    dropSlice(organization, slice)
    if (organization.slices.size === 0) this.#organizations.delete(organization.id)
    const { version, hash, places, snapshot } = slice
    if (!slice.is_loading && slice.sent.length === 0 && hash !== '')
      this.#applied.add(slice, { version, hash, places_hash: places.hash, snapshot })
  }

  flushApplied(): Promise<void> {
    return this.#applied.flush()
  }

  /** A device confirmed a version; one that says another hash gets a snapshot. */
  confirm(slice: LiveSlice, { version, hash }: { version: number; hash: string }): void {
    const place = slice.sent.findIndex(sent => sent.version === version)
    const sent = slice.sent[place]
    if (!sent) return
    slice.sent.splice(0, place + 1)
    if (sent.hash === hash) this.#applied.add(slice, sent)
    else this.resync(slice)
  }

  resync(slice: LiveSlice): void {
    if (slice.is_loading) {
      slice.needs_snapshot = true
      return
    }
    slice.is_loading = true
    this.#load(slice, undefined).catch(error => this.#fail(slice, error))
  }

  async #register(admitted: Admitted, generation: number, link: SliceLink): Promise<LiveSlice> {
    const { config } = this.#context
    const { organization_id, device_id } = admitted
    const organization = await this.#organization(organization_id)
    const key = deviceKey(config, device_id, generation)
    const slice: LiveSlice = {
      ...admitted,
      generation,
      key,
      link,
      places: devicePlaces(organization.places, organization.coverage, device_id, this.#seal(key)),
      version: 0,
      hash: '',
      snapshot: this.#snapshot as string,
      sent: [],
      is_loading: true,
      needs_snapshot: false,
      missed: new Set(),
    }
    addSlice(organization, slice)
    return slice
  }

  /** What stands beside the rows of a slice: when it changes, the slice does. */
  #seal(key: Buffer): string {
    return [key.toString('base64url'), ...this.#passKeys.map(({ id }) => id)].join(' ')
  }

  async #organization(id: string): Promise<LiveOrganization> {
    const known = this.#organizations.get(id)
    if (known) return known
    this.#snapshot ??= await currentSnapshot(this.#context.db)
    const opened = await openOrganization(this.#context.db, id)
    this.#organizations.set(id, opened)
    return opened
  }

  /** Brings a slice from the version it has, or from nothing, to the present. */
  async #load(slice: LiveSlice, held: Version | undefined): Promise<void> {
    const missed =
      held && held.places_hash === slice.places.hash ? await this.#missedSince(slice, held) : undefined
    if (held && missed) {
      slice.version = held.version
      slice.hash = held.hash
      for (const id of missed) slice.missed.add(id)
      this.#applied.add(slice, held)
    } else await this.#snapshots.pass(() => this.#sendSnapshot(slice))
    await this.#turns.take(() => this.#goLive(slice))
  }

  async #missedSince(slice: LiveSlice, { snapshot }: Version): Promise<string[] | undefined> {
    const { db } = this.#context
    const { organization_id } = slice
    const { changes, is_complete } = await findChanges(db, [organization_id], snapshot, 20_000)
    const changed = changes.get(organization_id)
    if (!is_complete) return undefined
    const members = changed ? await changedMembers(db, organization_id, changed) : []
    const concerned = await findConcerned(db, organization_id, members, [...slice.places.groups])
    return concerned.length > mostMissed ? undefined : concerned
  }

  async #sendSnapshot(slice: LiveSlice): Promise<void> {
    const { db, clock, vault } = this.#context
    slice.needs_snapshot = false
    slice.sent = []
    const { snapshot, places } = slice
    const version = slice.version + 1
    const sent = await sendSnapshot({ db, vault, pass_keys: this.#passKeys }, slice, version)
    if (!sent) return slice.link.end('too_slow', 'the device does not take its snapshot')
    const made: Version = { version, hash: sent.hash, places_hash: places.hash, snapshot }
    if (!(await this.#store(slice, made, clock.now()))) return
    takeVersions(slice, [made])
    slice.link.send(sent.last_frame)
  }

  async #store(slice: LiveSlice, version: Version, at: string): Promise<boolean> {
    const stored = await storeVersions(this.#context.db, [ofDevice(slice, version, at)])
    if (stored.size === 0) slice.link.end('replaced', 'the device is connected elsewhere')
    return stored.size > 0
  }

  /** In a turn: nothing changes between the last of what was missed and the first delta. */
  async #goLive(slice: LiveSlice): Promise<void> {
    if (!this.#isOpen(slice)) return
    if (slice.needs_snapshot || slice.missed.size > mostMissed) {
      slice.missed.clear()
      slice.snapshot = this.#snapshot as string
      slice.needs_snapshot = false
      void this.#load(slice, undefined).catch(error => this.#fail(slice, error))
      return
    }
    slice.is_loading = false
    await sendMissed(this.#context, slice, this.#snapshot as string)
  }

  #isOpen(slice: LiveSlice): boolean {
    return this.#organizations.get(slice.organization_id)?.slices.has(slice) ?? false
  }

  #fail(slice: LiveSlice, error: unknown): void {
    this.#context.log.warn({ err: error, device_id: slice.device_id }, 'a slice could not be sent')
    slice.link.end('failed', 'the policy could not be sent; come back')
  }

  async #watch(): Promise<void> {
    const { feed, log } = this.#context
    const { signal } = this.#end
    while (!signal.aborted) {
      const woken = feed.woken()
      const isDone = await this.#turns
        .take(() => this.#tick())
        .then(
          () => true,
          error => void log.warn({ err: error }, 'policy changes are sent later'),
        )
      const pause = (time: number) => sleep(time, undefined, { signal, ref: false }).catch(() => undefined)
      await pause(shortestWait)
      await Promise.race([isDone ? woken : pause(longestWait), pause(longestWait)])
    }
  }

  async #tick(): Promise<void> {
    if (this.#organizations.size === 0) {
      this.#snapshot = undefined
      return
    }
    const { db } = this.#context
    this.#snapshot ??= await currentSnapshot(db)
    const { snapshot, changes } = await findChanges(db, [...this.#organizations.keys()], this.#snapshot)
    for (const [id, changed] of changes) {
      const organization = this.#organizations.get(id)
      if (organization)
        await this.#apply(organization, changed, snapshot).catch(error => this.#giveUp(organization, error))
    }
    this.#snapshot = snapshot
    for (const organization of this.#organizations.values())
      for (const slice of organization.slices) slice.snapshot = slice.is_loading ? slice.snapshot : snapshot
  }

  /** Nobody knows how far it came: the devices come back and say what they have. */
  #giveUp(organization: LiveOrganization, error: unknown): void {
    for (const slice of organization.slices) this.#fail(slice, error)
  }

  async #apply(organization: LiveOrganization, changes: Changes, snapshot: string): Promise<void> {
    const { db } = this.#context
    if (changes.is_organization_changed) this.#recheck(organization.id, undefined)
    else if (changes.devices.size > 0) this.#recheck(organization.id, changes.devices)
    if (await rereadPlaces(db, organization.id, organization.places, changes.places))
      await this.#applyPlaces(organization)
    const members = await changedMembers(db, organization.id, changes)
    await applyMembers(this.#context, organization, members, snapshot)
  }

  async #applyPlaces(organization: LiveOrganization): Promise<void> {
    await applyPlaces(this.#context, organization, key => this.#seal(key))
    for (const slice of organization.slices) if (!slice.is_loading) await this.#catchUp(slice)
  }

  async #catchUp(slice: LiveSlice): Promise<void> {
    if (slice.needs_snapshot || slice.missed.size > mostMissed) {
      slice.missed.clear()
      this.resync(slice)
    } else await sendMissed(this.#context, slice, slice.snapshot)
  }
}

function isSame(known: Version, claim: { version: number; hash: string }): boolean {
  return known.version === claim.version && known.hash === claim.hash
}

async function currentSnapshot(db: Pool): Promise<string> {
  const [row] = await db.query<{ snapshot: string }>('SELECT pg_current_snapshot()::text AS snapshot')
  return row?.snapshot ?? ''
}
