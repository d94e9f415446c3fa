import type { PassKey } from '@gatehouse-access/api'
import type { Moment } from '../../database/moment.ts'
import { isIdle } from '../modes/mode-sources.ts'
import { readEmergencies } from '../modes/read-emergencies.ts'
import { rereadGateway, rereadModes } from '../modes/read-modes.ts'
import { type Changes, changedMembers, changedModes, concernsDays } from '../policy/changes.ts'
import type { DevicePlaces } from '../policy/device-places.ts'
import { rememberGroups } from '../policy/known-groups.ts'
import { rereadPlaces } from '../policy/places.ts'
import { rereadDays } from '../policy/special-days.ts'
import { applyMembers, applyNeeds, applyOverlay, applyPlaces, placesOf } from './apply.ts'
import type { PushContext } from './context.ts'
import { applyEmergencies } from './emergencies.ts'
import type { LiveSlice } from './live-slice.ts'
import type { SliceLoader } from './loading.ts'
import { tellMissing } from './missing.ts'
import { asOf, indexSlices, type LiveOrganization, reopenOrganization, viewOf } from './organization.ts'

/** Called when secrets, devices or the organization changed, so devices may have to disconnect. */
export type Recheck = (organizationId: string, devices: ReadonlySet<string> | undefined) => void

interface Parts {
  readonly pass_keys: readonly PassKey[]
  readonly loader: SliceLoader
  readonly recheck: Recheck
}

/** Applies what changed in an organization to the slices of its devices. Everything must run in a turn of it. */
export class OrganizationChanges {
  readonly #context: PushContext
  readonly #parts: Parts

  constructor(context: PushContext, parts: Parts) {
    this.#context = context
    this.#parts = parts
  }

  /** Returns what a device is sent now, except its members. */
  placesOf(
    organization: LiveOrganization,
    device: Pick<LiveSlice, 'device_id' | 'capabilities' | 'key'>,
  ): Promise<DevicePlaces> {
    return placesOf(this.#context, organization, device, this.#seal(device.key))
  }

  /** Devices that came behind the same gateway before get the doors of this one, and the other way around. */
  async findGateway(organization: LiveOrganization, deviceId: string): Promise<void> {
    const { id, modes, places, coverage } = organization
    if (!(await rereadGateway(this.#context.db, id, modes.gateways, deviceId))) return
    organization.view = viewOf(modes, places, coverage)
    if (isIdle(modes)) return
    await applyOverlay(this.#context, organization)
    await this.#applyNeeds(organization)
  }

  /** Tells devices of emergencies, before anything else. `rest` is called between a few devices and the next. */
  async applyEmergencies(organization: LiveOrganization, rest: () => Promise<void>): Promise<void> {
    const { id, modes, places, coverage } = organization
    await readEmergencies(this.#context.db, id, modes)
    organization.view = viewOf(modes, places, coverage)
    await applyEmergencies(this.#context, organization, rest)
  }

  /** `hurry` is called between parts of something that takes long. */
  async apply(
    organization: LiveOrganization,
    changes: Changes,
    moment: Moment,
    hurry: () => Promise<void>,
  ): Promise<void> {
    const { db, clock } = this.#context
    if (changes.is_organization_changed) this.#parts.recheck(organization.id, undefined)
    else if (changes.devices.size > 0) this.#parts.recheck(organization.id, changes.devices)
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
    await applyMembers({ ...this.#context, hurry }, organization, members, moment)
  }

  /**
   * Looks at what changes without an event: once a month special days further ahead, once a year other zones.
   * To be called once a day, and when there is other zone data.
   */
  async moveOn(organization: LiveOrganization): Promise<void> {
    const { db, clock, zones } = this.#context
    const now = clock.now()
    await rereadDays(db, organization.id, organization.days, now)
    organization.as_of = asOf(now, zones)
    await applyOverlay(this.#context, organization)
  }

  /** Reads everything again, because the database may have lost what memory still holds. */
  async readAnew(organization: LiveOrganization, moment: Moment): Promise<void> {
    await reopenOrganization(this.#context, organization)
    const loading = new Set<LiveSlice>()
    for (const slice of organization.slices) {
      const after = await this.placesOf(organization, slice)
      await rememberGroups(this.#context.db, slice, after.groups)
      if (slice.is_loading) loading.add(slice)
      // The slice now holds places that its device does not have. `is_loading` keeps `close` from storing
      // them as confirmed.
      Object.assign(slice, { places: after, moment, is_loading: true })
    }
    indexSlices(organization)
    for (const slice of organization.slices) await this.#parts.loader.revalidate(slice, loading.has(slice))
    this.#parts.recheck(organization.id, undefined)
  }

  /** Identifies the keys that are sent with the rows: a new key changes the slice. */
  #seal(key: Buffer): string {
    return [key.toString('base64url'), ...this.#parts.pass_keys.map(({ id }) => id)].join(' ')
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

  async #applyNeeds(organization: LiveOrganization): Promise<void> {
    if (await applyNeeds(this.#context, organization, key => this.#seal(key)))
      await this.#catchUp(organization)
  }

  async #catchUp(organization: LiveOrganization): Promise<void> {
    await tellMissing(this.#context.db, organization.slices, this.#context.clock)
    for (const slice of organization.slices) if (!slice.is_loading) await this.#parts.loader.catchUp(slice)
  }
}
