import type { DeviceCapability, FromDevice, PassKey } from '@gatehouse-access/api'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Pool } from '../../database/db.ts'
import { type Moment, readMoment } from '../../database/moment.ts'
import type { Feed } from '../../events/feed.ts'
import type { Clock } from '../../flow/clock.ts'
import { SerialQueue } from '../../flow/serial-queue.ts'
import { pause, type Timers } from '../../flow/timers.ts'
import type { Vault } from '../../vault/vault.ts'
import { isIdle } from '../modes/mode-sources.ts'
import { readEmergencies } from '../modes/read-emergencies.ts'
import { rereadGateway, rereadModes } from '../modes/read-modes.ts'
import {
  type Changes,
  changedMembers,
  changedModes,
  concernsDays,
  findChanges,
  findUrgent,
} from '../policy/changes.ts'
import { deviceKey } from '../policy/keys.ts'
import { rememberGroups } from '../policy/known-groups.ts'
import type { ZoneTables } from '../policy/overlay.ts'
import { passKeysOf } from '../policy/passes.ts'
import { rereadPlaces } from '../policy/places.ts'
import { rereadDays } from '../policy/special-days.ts'
import { readVersions, type StoredVersions, type Version } from '../policy/versions.ts'
import { AppliedVersions } from './applied.ts'
import { applyMembers, applyNeeds, applyOverlay, applyPlaces, placesOf } from './apply.ts'
import { applyEmergencies } from './emergencies.ts'
import type { LiveSlice, SliceLink } from './live-slice.ts'
import { SliceLoader } from './loading.ts'
import { tellMissing } from './missing.ts'
import {
  addSlice,
  asOf,
  dropSlice,
  indexSlices,
  type LiveOrganization,
  openOrganization,
  reopenOrganization,
  viewOf,
} from './organization.ts'

export interface PushContext {
  readonly db: Pool
  readonly clock: Clock
  readonly vault: Vault
  readonly log: Logger
  readonly feed: Pick<Feed, 'woken'>
  readonly timers: Timers
  readonly config: Pick<Config, 'secret_keys'>
  readonly zones: ZoneTables
}

/** Milliseconds. */
interface PushOptions {
  readonly poll?: number | undefined
  readonly stall?: number | undefined
}

interface Admitted {
  readonly organization_id: string
  readonly device_id: string
  readonly connection_id: string
  readonly capabilities: ReadonlySet<DeviceCapability>
}

/** Called when secrets, devices or the organization changed, so devices may have to disconnect. */
type Recheck = (organizationId: string, devices: ReadonlySet<string> | undefined) => void

type Claim = FromDevice<'hello'>['policy']

/** Milliseconds. */
const longestWait = 1000
const shortestWait = 5
const urgentGap = 250
/** Organizations. */
const movedAtOnce = 20

/**
 * Keeps the slices of connected devices up to date. Each tick reads the event log once for all organizations
 * with devices here. A change to a member costs one read of the member and one frame for each device it
 * concerns. Members are not kept in memory: a device's version is a hash chain of the frames it was sent.
 *
 * Ticks and the adding and removing of slices are serialized, so that no slice misses a change.
 */
export class PolicyPush implements AsyncDisposable {
  #context: PushContext
  #recheck: Recheck
  #poll: number
  #passKeys: readonly PassKey[]
  #organizations = new Map<string, LiveOrganization>()
  #turns = new SerialQueue()
  #moment: Moment | undefined
  /** When changes were last looked for, in milliseconds. */
  #lookedAt = 0
  #loader: SliceLoader
  #applied: AppliedVersions
  #end = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(context: PushContext, recheck: Recheck, { poll = longestWait, stall }: PushOptions = {}) {
    this.#context = context
    this.#poll = poll
    this.#recheck = recheck
    this.#passKeys = passKeysOf(context.config)
    this.#applied = new AppliedVersions(context)
    this.#loader = new SliceLoader(context, {
      pass_keys: this.#passKeys,
      ...(stall !== undefined && { stall }),
      applied: this.#applied,
      turns: this.#turns,
      moment: () => this.#moment as Moment,
      heldModes: slice => this.#organizations.get(slice.organization_id)?.view.heldBy(slice.device_id) ?? [],
      isOpen: slice => this.#organizations.get(slice.organization_id)?.slices.has(slice) ?? false,
    })
  }

  start(): void {
    this.#running = this.#watch()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#running
    await this.#applied[Symbol.asyncDispose]()
  }

  /** Registers an admitted device. Calling `begin` starts to send its slice and keep it up to date. */
  async open(
    admitted: Admitted,
    claim: Claim,
    link: SliceLink,
  ): Promise<{ slice: LiveSlice; begin(): void }> {
    const { db, clock } = this.#context
    const { organization_id, device_id } = admitted
    const stored = await readVersions(db, organization_id, device_id)
    const slice = await this.#turns.run(() => this.#register(admitted, stored, link))
    await tellMissing(db, [slice], clock)
    const held = claim ? stored.known.find(known => isSame(known, claim)) : undefined
    slice.version = Math.max(stored.version, claim?.version ?? 0)
    const isWanted = held !== undefined && held.version === stored.version && held.hash === stored.hash
    return { slice, begin: () => this.#loader.load(slice, { held, isWanted }) }
  }

  /** Removes the slice. Stores its confirmed version as of the last check, even if nothing was sent since. */
  close(slice: LiveSlice): void {
    const organization = this.#organizations.get(slice.organization_id)
    if (!organization?.slices.has(slice)) return
    dropSlice(organization, slice)
    if (organization.slices.size === 0) this.#organizations.delete(organization.id)
    const { version, hash, places, places_hash, moment } = slice
    // Changed places that were not sent yet are sent after the device reconnects.
    const isTold = places_hash === places.hash && slice.missed.size === 0
    if (!slice.is_loading && slice.sent.length === 0 && hash !== '' && isTold)
      this.#applied.add(slice, { version, hash, places_hash, ...moment })
  }

  flushApplied(): Promise<void> {
    return this.#applied.flush()
  }

  /** Handles a confirmed version. A device that reports another hash gets a snapshot. */
  confirm(slice: LiveSlice, { version, hash }: { version: number; hash: string }): void {
    const place = slice.sent.findIndex(sent => sent.version === version)
    const sent = slice.sent[place]
    if (!sent) return
    slice.sent.splice(0, place + 1)
    if (sent.hash === hash) this.#applied.add(slice, sent)
    else this.resync(slice)
  }

  /**
   * Whether the device has confirmed these emergencies and everything else that was sent. In a turn, since between
   * two turns everything that is known has been sent.
   */
  hasHeardOf(slice: LiveSlice, emergencies: readonly string[]): Promise<boolean> {
    return this.#turns.run(async () => {
      const known = this.#organizations.get(slice.organization_id)?.modes.emergencies
      const isSettled = !slice.is_loading && slice.sent.length === 0
      return isSettled && emergencies.every(id => known?.has(id) ?? false)
    })
  }

  resync(slice: LiveSlice): void {
    this.#loader.reload(slice)
  }

  async #register(admitted: Admitted, stored: StoredVersions, link: SliceLink): Promise<LiveSlice> {
    const { config } = this.#context
    const { organization_id, device_id } = admitted
    const { generation } = stored
    const organization = await this.#organization(organization_id)
    await this.#findGateway(organization, device_id)
    const key = deviceKey(config, device_id, generation)
    const slice: LiveSlice = {
      ...admitted,
      generation,
      key,
      link,
      places: await placesOf(this.#context, organization, admitted, this.#seal(key)),
      missing_told: stored.missing.join(' '),
      version: 0,
      hash: '',
      places_hash: '',
      moment: this.#moment as Moment,
      epoch: (this.#moment as Moment).epoch,
      sent: [],
      is_loading: true,
      needs_snapshot: false,
      missed: new Set(),
      hears_below: 0,
      stale: new Set(),
    }
    await rememberGroups(this.#context.db, slice, slice.places.groups)
    // Its last other slice may have closed meanwhile, and nobody would tell this one of any change.
    this.#organizations.set(organization_id, organization)
    addSlice(organization, slice)
    return slice
  }

  /** Devices that came behind the same gateway before get the doors of this one, and the other way around. */
  async #findGateway(organization: LiveOrganization, deviceId: string): Promise<void> {
    const { id, modes, places, coverage } = organization
    if (!(await rereadGateway(this.#context.db, id, modes.gateways, deviceId))) return
    organization.view = viewOf(modes, places, coverage)
    if (!isIdle(modes)) await this.#applyModes(organization)
  }

  /** Identifies the keys that are sent with the rows: a new key changes the slice. */
  #seal(key: Buffer): string {
    return [key.toString('base64url'), ...this.#passKeys.map(({ id }) => id)].join(' ')
  }

  async #organization(id: string): Promise<LiveOrganization> {
    const known = this.#organizations.get(id)
    if (known) return known
    this.#moment ??= await readMoment(this.#context.db)
    const opened = await openOrganization(this.#context, id)
    this.#organizations.set(id, opened)
    return opened
  }

  async #watch(): Promise<void> {
    const { feed, log, timers } = this.#context
    const { signal } = this.#end
    while (!signal.aborted) {
      const woken = feed.woken()
      const isDone = await this.#turns
        .run(() => this.#tick())
        .then(
          () => true,
          error => void log.warn({ err: error }, 'policy changes are sent later'),
        )
      await pause(timers, shortestWait, signal)
      await pause(timers, this.#poll, signal, isDone ? woken : undefined)
    }
  }

  async #tick(): Promise<void> {
    if (this.#organizations.size === 0) {
      this.#moment = undefined
      return
    }
    const { db } = this.#context
    this.#moment ??= await readMoment(db)
    this.#lookedAt = this.#context.timers.elapsed()
    const { moment, changes } = await findChanges(db, [...this.#organizations.keys()], this.#moment)
    if (moment.epoch !== this.#moment.epoch) return this.#beginAnew(moment)
    await this.#forEach(changes, (organization, { emergencies }) =>
      emergencies.size > 0 ? this.#applyEmergencies(organization) : undefined,
    )
    await this.#forEach(changes, (organization, changed) => this.#apply(organization, changed, moment))
    this.#moment = moment
    await this.#moveOn()
    for (const organization of this.#organizations.values())
      for (const slice of organization.slices) if (!slice.is_loading) slice.moment = moment
  }

  /** Looks for emergencies in the middle of a tick that takes long, because thousands of members changed. */
  async #hurry(): Promise<void> {
    const { db, timers } = this.#context
    const now = timers.elapsed()
    if (!this.#moment || now - this.#lookedAt < urgentGap) return
    this.#lookedAt = now
    for (const id of await findUrgent(db, [...this.#organizations.keys()], this.#moment)) {
      const organization = this.#organizations.get(id)
      if (organization) await this.#applyEmergencies(organization)
    }
  }

  async #forEach(
    changes: ReadonlyMap<string, Changes>,
    apply: (organization: LiveOrganization, changed: Changes) => Promise<void> | undefined,
  ): Promise<void> {
    for (const [id, changed] of changes) {
      const organization = this.#organizations.get(id)
      if (organization) await apply(organization, changed)?.catch(error => this.#giveUp(organization, error))
    }
  }

  /** Emergencies are told to the devices of all organizations before anything else is. */
  async #applyEmergencies(organization: LiveOrganization): Promise<void> {
    const { id, modes, places, coverage } = organization
    await readEmergencies(this.#context.db, id, modes)
    organization.view = viewOf(modes, places, coverage)
    await applyEmergencies(this.#context, organization)
  }

  /**
   * Looks once a day, and when there is other zone data, at what changes without an event: once a month special
   * days further ahead, once a year other zones. A few organizations in each tick, because a new day begins for
   * all of them at once.
   */
  async #moveOn(): Promise<void> {
    const { db, clock, zones } = this.#context
    const now = clock.now()
    const behind = [...this.#organizations.values()].filter(({ as_of }) => as_of !== asOf(now, zones))
    for (const organization of behind.slice(0, movedAtOnce)) {
      organization.as_of = asOf(now, zones)
      await rereadDays(db, organization.id, organization.days, now)
      await applyOverlay(this.#context, organization).catch(error => this.#giveUp(organization, error))
    }
  }

  /** Rereads everything, because the database may have lost what memory still holds. */
  async #beginAnew(moment: Moment): Promise<void> {
    for (const organization of this.#organizations.values()) {
      await this.#readAnew(organization, moment)
      this.#recheck(organization.id, undefined)
    }
    this.#moment = moment
  }

  async #readAnew(organization: LiveOrganization, moment: Moment): Promise<void> {
    await reopenOrganization(this.#context, organization)
    const loading = new Set<LiveSlice>()
    for (const slice of organization.slices) {
      const after = await placesOf(this.#context, organization, slice, this.#seal(slice.key))
      await rememberGroups(this.#context.db, slice, after.groups)
      if (slice.is_loading) loading.add(slice)
      // The slice now holds places that its device does not have. `is_loading` keeps `close` from storing
      // them as confirmed.
      Object.assign(slice, { places: after, moment, is_loading: true })
    }
    indexSlices(organization)
    for (const slice of organization.slices) await this.#loader.revalidate(slice, loading.has(slice))
  }

  /** The progress is unknown, so the devices reconnect and report their version. */
  #giveUp(organization: LiveOrganization, error: unknown): void {
    const slices = [...organization.slices]
    // Its places may be half read: a device that reconnects finds them read anew.
    this.#organizations.delete(organization.id)
    for (const slice of slices) this.#loader.fail(slice, error)
  }

  async #apply(organization: LiveOrganization, changes: Changes, moment: Moment): Promise<void> {
    const { db, clock } = this.#context
    if (changes.is_organization_changed) this.#recheck(organization.id, undefined)
    else if (changes.devices.size > 0) this.#recheck(organization.id, changes.devices)
    const { id, places, days } = organization
    const changed = { calendars: changes.calendars, days: changes.calendar_days }
    const sites = concernsDays(changes) ? await rereadDays(db, id, days, clock.now(), changed) : undefined
    const isOfModes = await this.#rereadModes(organization, changes)
    if (await rereadPlaces(db, id, places, changes.places)) await this.#applyPlaces(organization)
    else {
      if (isOfModes || sites?.size)
        await applyOverlay(this.#context, organization, isOfModes ? undefined : sites)
      // Emergencies are in no overlay, but may ask for members.
      if (isOfModes || changes.emergencies.size > 0) await this.#applyNeeds(organization)
    }
    const members = await changedMembers(db, organization.id, changes)
    const context = { ...this.#context, hurry: () => this.#hurry() }
    await applyMembers(context, organization, members, moment)
  }

  async #applyPlaces(organization: LiveOrganization): Promise<void> {
    await applyPlaces(this.#context, organization, key => this.#seal(key))
    await this.#catchUp(organization)
  }

  /** Returns true if something other than an emergency may set other modes now. */
  async #rereadModes(organization: LiveOrganization, changes: Changes): Promise<boolean> {
    const changed = changedModes(changes)
    const { id, modes, places, coverage } = organization
    if (Object.values(changed).every(({ size }) => size === 0)) return false
    await rereadModes(this.#context.db, id, modes, changed)
    organization.view = viewOf(modes, places, coverage)
    return true
  }

  async #applyModes(organization: LiveOrganization): Promise<void> {
    await applyOverlay(this.#context, organization)
    await this.#applyNeeds(organization)
  }

  async #applyNeeds(organization: LiveOrganization): Promise<void> {
    if (await applyNeeds(this.#context, organization, key => this.#seal(key)))
      await this.#catchUp(organization)
  }

  async #catchUp(organization: LiveOrganization): Promise<void> {
    await tellMissing(this.#context.db, organization.slices, this.#context.clock)
    for (const slice of organization.slices) if (!slice.is_loading) await this.#loader.catchUp(slice)
  }
}

function isSame(known: Version, claim: { version: number; hash: string }): boolean {
  return known.version === claim.version && known.hash === claim.hash
}
