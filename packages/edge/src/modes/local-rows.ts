import type { SliceRow } from '@gatehouse-access/api'
import { addSeconds, type EmergencyRow } from '@gatehouse-access/core'
import type { DoorMemory, LocalEmergency } from './door-memory.ts'

/** Adds to rows of the policy what this controller knows and the service has not sent yet. */

type Rule = SliceRow<'unlock_rules'>
type Site = SliceRow<'sites'>
type Emergency = SliceRow<'emergencies'>

export function amendRule<Row extends Rule>(row: Row, { arrivals, departures }: DoorMemory): Row {
  return {
    ...row,
    arrivals: [...(row.arrivals ?? []), ...(arrivals[row.id] ?? [])],
    departures: [...(row.departures ?? []), ...(departures[row.id] ?? [])],
  }
}

export function amendSite<Row extends Site>(row: Row, { fires }: DoorMemory): Row {
  const since = fires[row.id]?.since
  if (!row.fire || since === undefined) return row
  return { ...row, fire: { ...row.fire, since: row.fire.since ?? since } }
}

export function isEndedHere({ id, held_until }: Emergency, { ended }: DoorMemory): boolean {
  return ended.some(row => row.id === id && row.held_until === (held_until ?? null))
}

/** The lease of an emergency that was started here begins with it, or with the first sure time after it. */
export function localEmergencyRow({ local_id, plan, started_at, is_sure }: LocalEmergency): EmergencyRow {
  const { type, gadget_ids, exempt_member_group_ids, unlocked_gadget_ids } = plan
  const after = (seconds: number | null | undefined) =>
    is_sure && seconds != null ? addSeconds(started_at, seconds) : null
  return {
    id: local_id,
    type,
    targets: { gadget_ids },
    exempt_member_group_ids: exempt_member_group_ids ?? [],
    unlocked_gadget_ids: unlocked_gadget_ids ?? [],
    started_at,
    ends_at: after(plan.ends_after_seconds),
    held_until: after(plan.offline_hold_seconds),
  }
}
