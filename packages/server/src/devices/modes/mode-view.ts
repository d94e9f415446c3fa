import type { DeviceCapability } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import type { DoorIndex } from './doors-of.ts'
import { type GatewayRows, gatewayRows } from './gateway-rows.ts'
import { type Locks, locksOf } from './locks.ts'
import { isIdle, type ModeSources } from './mode-sources.ts'

/** What the modes of its doors ask of the rest of a device's slice. */
export interface ModeNeeds {
  /** Groups whose members it has to know, beside those that grant something. */
  readonly groups: ReadonlySet<string>
  readonly schedules: ReadonlySet<string>
  readonly locks: Locks
  /** Whether it would have to understand modes, and does not. */
  readonly is_missing: boolean
  /** Equal if the needs are. */
  readonly signature: string
}

export const noNeeds: ModeNeeds = {
  groups: new Set(),
  schedules: new Set(),
  locks: new Map(),
  is_missing: false,
  signature: '',
}

const nothing: GatewayRows = {
  emergencies: new Map(),
  others: new Map(),
  fires: new Map(),
  groups: noNeeds.groups,
  schedules: noNeeds.schedules,
}

type Capabilities = ReadonlySet<DeviceCapability>

/** The modes of an organization as its devices are sent them, at one moment: made anew when anything changes. */
export class ModeView {
  readonly #sources: ModeSources
  readonly #index: DoorIndex
  readonly #canRead: (capabilities: Capabilities, scheduleId: string) => boolean
  /** Devices behind the same gateway share their rows. */
  readonly #rows = new Map<string, GatewayRows>()

  constructor(
    sources: ModeSources,
    index: DoorIndex,
    canRead: (capabilities: Capabilities, scheduleId: string) => boolean,
  ) {
    this.#sources = sources
    this.#index = index
    this.#canRead = canRead
  }

  *rowsOf(deviceId: string, capabilities: Capabilities): Steps<GatewayRows> {
    if (!capabilities.has('door_modes') || isIdle(this.#sources)) return nothing
    const gateway = this.#sources.gateways.of(deviceId)
    const key = `${gateway} ${capabilities.has('schedule_exceptions')}`
    const known = this.#rows.get(key)
    if (known) return known
    const canRead = (id: string) => this.#canRead(capabilities, id)
    const rows = yield* gatewayRows(this.#sources, this.#index, gateway, canRead)
    this.#rows.set(key, rows)
    return rows
  }

  /** `targets`: the gadgets that the device can reach. */
  *needsOf(deviceId: string, capabilities: Capabilities, targets: Iterable<string>): Steps<ModeNeeds> {
    if (isIdle(this.#sources)) return noNeeds
    if (capabilities.has('door_modes')) {
      const { groups, schedules } = yield* this.rowsOf(deviceId, capabilities)
      const signature = [...groups].sort().join(' ') + [' ', ...schedules].sort().join(' ')
      return { ...noNeeds, groups, schedules, signature }
    }
    const { locks, is_concerned } = yield* locksOf(this.#sources, this.#index, targets)
    const described = [...locks].map(([id, { groups }]) => [id, ...[...groups].sort()].join(' '))
    return { ...noNeeds, locks, is_missing: is_concerned, signature: `${is_concerned} ${described.sort()}` }
  }

  /** Returns everything by `kind id` that a device may hold from before, whether or not it concerns it now. */
  *heldBy(deviceId: string): Generator<string> {
    const { emergencies, emergency_plans, gateways, unlock_rules } = this.#sources
    for (const id of unlock_rules.keys()) yield `unlock_rules ${id}`
    for (const id of emergency_plans.keys()) yield `emergency_plans ${id}`
    for (const id of emergencies.keys()) yield `emergencies ${id}`
    const devices = gateways.devicesOf(gateways.of(deviceId))
    const gadgets = new Set(devices.flatMap(id => [...this.#index.reachedFrom(id)]))
    for (const id of gadgets) yield `overrides ${id}`
  }
}
