import { toMicroseconds } from '../engine/microseconds.ts'
import type { Site } from '../engine/places.ts'
import type { Steps } from '../engine/steps.ts'
import type { Door, EmergencyRow, OverrideRow, SiteFire } from './mode-rows.ts'
import type { UnlockRule } from './rule-spans.ts'
import { nextTurnSteps } from './turn-of-rules.ts'

/** Everything that can set the mode of one door. Instants are microseconds; Infinity is no end. */
export interface DoorSources {
  site: Site
  can_hold: boolean
  /** Null if the fire input does not hold, or does not release this door. */
  fire_since: number | null
  evacuations: readonly DoorEmergency[]
  lockdowns: readonly DoorEmergency[]
  override: Override | null
  /** In the order of their ids. */
  rules: readonly UnlockRule[]
}

/** An emergency as it concerns one door. */
export interface DoorEmergency {
  id: string
  since: number
  until: number
  /** A lockdown that keeps this door open. */
  is_unlocking: boolean
  exempt: ReadonlySet<string>
}

export interface Override {
  mode: 'unlocked' | 'controlled'
  since: number
  until: number
  /** Whether a clock is needed to tell if it has ended. */
  is_timed: boolean
}

export interface DoorPlace {
  gadget_id: string
  site_id: string
  tag_ids: readonly string[]
}

/** A fire releases the doors that would lock people in, and those that somebody chose. */
export function fireSince(fire: SiteFire | null, gadgetId: string, door: Door): number | null {
  if (!fire?.since) return null
  const isReleased = door.egress === 'electric' || fire.release_gadget_ids?.includes(gadgetId)
  return isReleased ? toMicroseconds(fire.since) : null
}

/** An emergency with its lists as sets: it may name thousands of doors. */
export interface Emergency {
  row: EmergencyRow
  sites: ReadonlySet<string>
  gadgets: ReadonlySet<string>
  tags: ReadonlySet<string>
  excluded: ReadonlySet<string>
  unlocked: ReadonlySet<string>
  exempt: ReadonlySet<string>
}

export function compileEmergency(row: EmergencyRow): Emergency {
  const { excluded_gadget_ids, gadget_ids, site_ids, tag_ids } = row.targets
  return {
    row,
    sites: new Set(site_ids),
    gadgets: new Set(gadget_ids),
    tags: new Set(tag_ids),
    excluded: new Set(excluded_gadget_ids),
    unlocked: new Set(row.unlocked_gadget_ids),
    exempt: new Set(row.exempt_member_group_ids),
  }
}

/** An emergency that has ended is history, whatever the clock says. */
export function isActive({ ended_at, is_deleted }: EmergencyRow): boolean {
  return ended_at == null && is_deleted !== true
}

export function concerns(emergency: Emergency, { gadget_id, site_id, tag_ids }: DoorPlace): boolean {
  const { excluded, gadgets, sites, tags } = emergency
  if (excluded.has(gadget_id)) return false
  return gadgets.has(gadget_id) || sites.has(site_id) || tag_ids.some(tag => tags.has(tag))
}

export function emergencyAt({ exempt, row, unlocked }: Emergency, gadgetId: string): DoorEmergency {
  return {
    id: row.id,
    since: toMicroseconds(row.started_at),
    until: Math.min(instantOr(row.ends_at, Infinity), instantOr(row.held_until, Infinity)),
    is_unlocking: row.type === 'lockdown' && unlocked.has(gadgetId),
    exempt,
  }
}

/**
 * An override until the next turn lasts as long as the schedules say now, also if they changed meanwhile. If
 * they never turn, a door stays locked, but does not stay open: nobody remembers that it does.
 */
export function* overrideOf(row: OverrideRow, rules: readonly UnlockRule[], site: Site): Steps<Override> {
  const since = toMicroseconds(row.set_at)
  const override = { mode: row.mode, since, is_timed: row.lasts !== 'indefinitely' }
  if (row.lasts === 'indefinitely') return { ...override, until: Infinity }
  if (row.lasts === 'until') return { ...override, until: instantOr(row.until, -Infinity) }
  const schedules = rules.map(rule => rule.schedule)
  const turn = yield* nextTurnSteps(schedules, site, since)
  return { ...override, until: turn === Infinity && row.mode === 'unlocked' ? -Infinity : turn }
}

function instantOr(timestamp: string | null | undefined, missing: number): number {
  return timestamp == null ? missing : toMicroseconds(timestamp)
}
