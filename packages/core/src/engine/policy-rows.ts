import type { Door, EmergencyRow, OverrideRow, SiteFire, UnlockRuleRow } from '../modes/mode-rows.ts'
import type { ScheduleException, SpecialDay } from '../special-days.ts'
import type { Weekday } from '../weekdays.ts'
import type { Validity } from './validity.ts'

/** Set aside for a while, and not deleted. Counts again from `suspended_until` on; null is without an end. */
export interface Suspension {
  is_suspended?: boolean | null
  suspended_until?: string | null
}

/** The fields that the engine reads of each object, under their wire names. Other fields are ignored. */
export interface MemberRow extends Validity, Suspension {
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
  /** All gadgets that have the tag. On a controller it stands beside the gadget that it was resolved to. */
  tag_id?: string | null
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
  special_days?: readonly SpecialDay[] | null
  exceptions?: readonly ScheduleException[] | null
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
  /** In the service: the calendars that the site observes. */
  calendar_ids?: readonly string[] | null
  /** On a controller: the merged days of these calendars. */
  days?: readonly SiteDay[] | null
  /** On a controller: the last local date whose days are known. After it, only yearly days are. */
  days_until?: string | null
  fire?: SiteFire | null
  is_deleted: boolean
}

/** Local dates, both inclusive. */
export interface SiteDay {
  kind: string
  from: string
  to: string
  yearly?: boolean
}

export interface CalendarRow {
  id: string
  is_deleted: boolean
}

/** The calendar of a day never changes. */
export interface CalendarDayRow {
  id: string
  calendar_id: string
  kind: string
  starts_on: string
  ends_on?: string | null
  recurrence: 'none' | 'yearly'
  is_deleted: boolean
}

/** A suspended device takes no PIN, card or phone; its gadgets can still be used online. */
export interface DeviceRow extends Suspension {
  id: string
  is_deleted: boolean
}

export interface GadgetRow {
  id: string
  site_id: string
  device_id: string
  actions: readonly { id: string }[]
  /** Null for a gadget that is no door: then modes do not concern it. */
  door?: Door | null
  tag_ids?: readonly string[] | null
  is_deleted: boolean
}

export const credentialKinds = ['email', 'magic_link', 'pin', 'card', 'token'] as const
export type CredentialKind = (typeof credentialKinds)[number]

export interface CredentialRow extends Suspension {
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
  calendars?: readonly CalendarRow[]
  calendar_days?: readonly CalendarDayRow[]
  unlock_rules?: readonly UnlockRuleRow[]
  overrides?: readonly OverrideRow[]
  emergencies?: readonly EmergencyRow[]
}
