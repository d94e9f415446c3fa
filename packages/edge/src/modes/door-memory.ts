import type { SliceRow } from '@gatehouse-access/api'
import type { Mode, ModeSource } from '@gatehouse-access/core'
import type { DoorAction } from '../alarms/door-action.ts'

/** An emergency that was started here, and that the service has not sent yet. */
export interface LocalEmergency {
  readonly local_id: string
  readonly plan: SliceRow<'emergency_plans'>
  readonly started_at: string
  /** Whether the clock was sure then. If not, it lasts from when the clock is. */
  readonly is_sure: boolean
  /** Emergencies of the plan that were known then. They may have ended meanwhile, so they do not replace it. */
  readonly known_ids: readonly string[]
  /** Its event in the journal of the device where it was started. */
  readonly sequence?: number
  /** Whether the service has that event. */
  readonly is_acknowledged?: boolean
}

/** An emergency of the service that somebody ended here. A renewal says that the service did not agree. */
export interface EndedEmergency {
  readonly id: string
  readonly held_until: string | null
}

/** A fire, kept until somebody resets it. */
export interface LocalFire {
  readonly since: string
  readonly is_sure: boolean
  /** Whether the contact of this device is still on; `elsewhere`: it belongs to another device. */
  readonly contact: 'on' | 'cleared' | 'elsewhere'
  /** The last reset that was known when it began, so that it is not taken for one of this fire. */
  readonly reset_before: string | null
}

/** What a door was last made to be. Doors that nothing but `default` has ever concerned have none. */
export interface DrivenDoor {
  readonly mode: Mode
  readonly source: ModeSource
  readonly unlock_rule_id: string | null
  readonly emergency_ids: readonly string[]
  /** What the hardware was last driven to; null if that is not known. */
  readonly position: Position | null
  /** Null while it is being driven. */
  readonly outcome: 'done' | 'failed' | null
  /** The outcome that the journal has; null if it does not have this change yet. */
  readonly told: 'done' | 'failed' | null
  /** What ended the mode before. */
  readonly cause?: 'lease_ended'
}

export type Position = 'held' | 'secured'

/**
 * What a device knows about its doors beyond its policy. It is one note on the disk, and replaced as a whole:
 * whatever a door was made to be is on the disk before the hardware is driven.
 */
export interface DoorMemory {
  readonly emergencies: readonly LocalEmergency[]
  readonly ended: readonly EndedEmergency[]
  /** By unlock rule: when the first person came and the last one left. */
  readonly arrivals: Instants
  readonly departures: Instants
  /** By site. */
  readonly fires: Readonly<Record<string, LocalFire>>
  /** By gadget. */
  readonly driven: Readonly<Record<string, DrivenDoor>>
}

export type Instants = Readonly<Record<string, readonly string[]>>

export const emptyMemory: DoorMemory = {
  emergencies: [],
  ended: [],
  arrivals: {},
  departures: {},
  fires: {},
  driven: {},
}

/** Something that happened at one device and concerns all devices of the controller. */
export type DoorFact =
  | { readonly type: 'signal'; readonly gadget_id: string; readonly signal_id: string }
  | ({ readonly type: 'action'; readonly gadget_id: string } & DoorAction)
  | {
      readonly type: 'arrival' | 'departure'
      readonly unlock_rule_ids: readonly string[]
      readonly at: string
    }
  | { readonly type: 'start'; readonly emergency: LocalEmergency }
  | { readonly type: 'acknowledged'; readonly local_id: string }
  | { readonly type: 'end'; readonly plan_id: string }
  | { readonly type: 'fire'; readonly site_id: string; readonly fire: LocalFire }
