import type { DeviceCapability, FromDevice } from '@gatehouse-access/api'
import { present } from '../../flow/present.ts'
import { deviceKey } from '../policy/keys.ts'
import { rememberGroups } from '../policy/known-groups.ts'
import { passKeysOf } from '../policy/passes.ts'
import { readVersions, type StoredVersions, type Version } from '../policy/versions.ts'
import { AppliedVersions } from './applied.ts'
import type { PushContext } from './context.ts'
import { type Lane, Lanes } from './lanes.ts'
import type { LiveSlice, SliceLink } from './live-slice.ts'
import { SliceLoader } from './loading.ts'
import { tellMissing } from './missing.ts'
import { addSlice, dropSlice } from './organization.ts'
import { OrganizationChanges, type Recheck } from './organization-changes.ts'
import { ChangeWatch } from './watch.ts'

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

type Claim = FromDevice<'hello'>['policy']

/**
 * Keeps the slices of connected devices up to date. A change to a member costs one read of the member and one
 * frame for each device it concerns. Members are not kept in memory: a device's version is a hash chain of the
 * frames it was sent.
 */
export class PolicyPush implements AsyncDisposable {
  readonly #context: PushContext
  readonly #lanes: Lanes
  readonly #loader: SliceLoader
  readonly #applied: AppliedVersions
  readonly #changes: OrganizationChanges
  readonly #watch: ChangeWatch

  constructor(context: PushContext, recheck: Recheck, { poll, stall }: PushOptions = {}) {
    const pass_keys = passKeysOf(context.config)
    this.#context = context
    this.#applied = new AppliedVersions(context)
    this.#lanes = new Lanes({
      hurry: lane => this.#watch.hurry(lane),
      settle: lane => this.#watch.settle(lane),
    })
    this.#loader = new SliceLoader(context, {
      pass_keys,
      ...(stall !== undefined && { stall }),
      applied: this.#applied,
      lanes: this.#lanes,
    })
    this.#changes = new OrganizationChanges(context, { pass_keys, loader: this.#loader, recheck })
    this.#watch = new ChangeWatch(context, {
      lanes: this.#lanes,
      changes: this.#changes,
      poll,
      fail: (slice, error) => this.#loader.fail(slice, error),
    })
  }

  start(): void {
    this.#watch.start()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watch[Symbol.asyncDispose]()
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
    const slice = await this.#lanes.run(organization_id, lane => this.#register(lane, admitted, stored, link))
    await tellMissing(db, [slice], clock)
    const held = claim ? stored.known.find(known => isSame(known, claim)) : undefined
    slice.version = Math.max(stored.version, claim?.version ?? 0)
    const isWanted = held !== undefined && held.version === stored.version && held.hash === stored.hash
    return { slice, begin: () => this.#loader.load(slice, { held, isWanted }) }
  }

  /** Removes the slice. Stores its confirmed version as of the last check, even if nothing was sent since. */
  close(slice: LiveSlice): void {
    const lane = this.#lanes.of(slice)
    if (!lane?.organization?.slices.has(slice)) return
    dropSlice(lane.organization, slice)
    this.#lanes.leave(lane)
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
    return this.#lanes.run(slice.organization_id, async ({ organization }) => {
      const known = organization?.modes.emergencies
      const isSettled = !slice.is_loading && slice.sent.length === 0
      return isSettled && emergencies.every(id => known?.has(id) ?? false)
    })
  }

  resync(slice: LiveSlice): void {
    this.#loader.reload(slice)
  }

  async #register(
    lane: Lane,
    admitted: Admitted,
    { generation, missing }: StoredVersions,
    link: SliceLink,
  ): Promise<LiveSlice> {
    const { db, config } = this.#context
    const organization = await this.#watch.open(lane)
    await this.#changes.findGateway(organization, admitted.device_id)
    const key = deviceKey(config, admitted.device_id, generation)
    const places = await this.#changes.placesOf(organization, { ...admitted, key })
    const moment = present(lane.moment, 'the moment of an organization')
    const slice: LiveSlice = {
      ...admitted,
      generation,
      key,
      link,
      places,
      missing_told: missing.join(' '),
      version: 0,
      hash: '',
      places_hash: '',
      moment,
      epoch: moment.epoch,
      sent: [],
      is_loading: true,
      needs_snapshot: false,
      missed: new Set(),
      hears_below: 0,
      stale: new Set(),
    }
    await rememberGroups(db, slice, places.groups)
    addSlice(organization, slice)
    return slice
  }
}

function isSame(known: Version, claim: { version: number; hash: string }): boolean {
  return known.version === claim.version && known.hash === claim.hash
}
