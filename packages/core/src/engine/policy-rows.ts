import type { Weekday } from '../weekdays.ts'
import type { Validity } from './validity.ts'

/** The fields that the engine reads of each object, under their wire names. Other fields are ignored. */
export interface MemberRow extends Validity {
  id: string
  is_deleted: boolean
}

/** The member of an association never changes. */
export interface AssociationRow extends Validity {
  id: string
  member_id: string
  member_group_id: string
  is_deleted: boolean
}

export const accessMethods = ['online', 'bluetooth', 'mobile_nfc', 'pin', 'card'] as const
export type AccessMethod = (typeof accessMethods)[number]

export interface PermissionRule {
  site_id?: string | null
  gadget_id?: string | null
  action_id?: string | null
  schedule_id?: string | null
  presence?: 'none' | 'gps' | null
  access_methods?: Partial<Record<AccessMethod, boolean>> | null
  member_group_id?: string | null
}

export interface GroupRow {
  id: string
  permissions: readonly PermissionRule[]
  is_deleted: boolean
}

export interface ScheduleRow {
  id: string
  weekdays: readonly Weekday[]
  is_deleted: boolean
}

export interface Location {
  lat: number
  lng: number
}

export interface SiteGeo {
  location?: Location | null
  radius?: number | null
}

export interface SiteRow {
  id: string
  timezone: string
  geo?: SiteGeo | null
  is_deleted: boolean
}

export interface DeviceRow {
  id: string
  is_deleted: boolean
}

export interface GadgetRow {
  id: string
  site_id: string
  device_id: string
  actions: readonly { id: string }[]
  is_deleted: boolean
}

export const credentialKinds = ['email', 'magic_link', 'pin', 'card', 'token'] as const
export type CredentialKind = (typeof credentialKinds)[number]

export interface CredentialRow {
  id: string
  member_id: string
  kind: CredentialKind
  is_deleted: boolean
}

/** All rows of one organization, by kind. Rows can be in any order; members in id order load fastest. */
export interface PolicyRows {
  sites: readonly SiteRow[]
  devices: readonly DeviceRow[]
  gadgets: readonly GadgetRow[]
  schedules: readonly ScheduleRow[]
  groups: readonly GroupRow[]
  members: readonly MemberRow[]
  associations: readonly AssociationRow[]
  credentials: readonly CredentialRow[]
}
