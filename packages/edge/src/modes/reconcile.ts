import type { SliceRow } from '@gatehouse-access/api'
import { type EmergencyRow, fromMicroseconds, toMicroseconds } from '@gatehouse-access/core'
import type { DoorMemory, LocalEmergency, LocalFire } from './door-memory.ts'
import { isEndedHere, localEmergencyRow } from './local-rows.ts'

/** What the memory is compared with. */
export interface Known {
  readonly emergencies: ReadonlyMap<string, SliceRow<'emergencies'>>
  readonly sites: ReadonlyMap<string, SliceRow<'sites'>>
  /** Microseconds; NaN while the clock is not sure. */
  readonly at: number
  /** Whether the service has known of a local emergency for so long that it would have sent its own. */
  isOverdue(emergency: LocalEmergency): boolean
}

/** How long what is over is kept, so that its end can still be explained. In microseconds. */
const keptAfter = 60e6

/** Drops what the service knows by now, or has ended. Returns the same object if there is nothing to drop. */
export function reconcile(memory: DoorMemory, known: Known): DoorMemory {
  const emergencies = memory.emergencies
    .map(emergency => begun(emergency, known.at))
    .filter(emergency => !isReplaced(emergency, known) && !isOver(emergency, known.at))
  const ended = memory.ended.filter(({ id }) => {
    const row = known.emergencies.get(id)
    return row !== undefined && isEndedHere(row, memory)
  })
  const fires = Object.entries(memory.fires).filter(([id, fire]) => !isReset(fire, known.sites.get(id)))
  const isSame =
    emergencies.every((emergency, index) => emergency === memory.emergencies[index]) &&
    emergencies.length === memory.emergencies.length &&
    ended.length === memory.ended.length &&
    fires.length === Object.keys(memory.fires).length
  return isSame ? memory : { ...memory, emergencies, ended, fires: Object.fromEntries(fires) }
}

/** When an emergency ends by itself, in microseconds. */
export function endOf({ ends_at, held_until }: Pick<EmergencyRow, 'ends_at' | 'held_until'>): number {
  return Math.min(instantOf(ends_at), instantOf(held_until))
}

/** Whether an emergency is over because nobody renewed it. */
export function isLeaseOver({ ends_at, held_until }: EmergencyRow, at: number): boolean {
  return instantOf(held_until) <= at && instantOf(held_until) < instantOf(ends_at)
}

/** An emergency that was started while the time was unknown lasts from the first sure time. */
function begun(emergency: LocalEmergency, at: number): LocalEmergency {
  if (emergency.is_sure || Number.isNaN(at)) return emergency
  return { ...emergency, is_sure: true, started_at: fromMicroseconds(at) }
}

/** The service's own emergency of the plan goes on in its place. */
function isReplaced(emergency: LocalEmergency, { emergencies, at, isOverdue }: Known): boolean {
  const { plan, known_ids, is_acknowledged = false } = emergency
  const isThere = [...emergencies.values()].some(
    row => row.plan_id === plan.id && !(at >= endOf(row)) && (is_acknowledged || !known_ids.includes(row.id)),
  )
  return isThere || (is_acknowledged && isOverdue(emergency))
}

function isOver(emergency: LocalEmergency, at: number): boolean {
  return at >= endOf(localEmergencyRow(emergency)) + keptAfter
}

/** A site without a fire input has none to reset. */
function isReset({ contact, is_sure, reset_before, since }: LocalFire, site?: SliceRow<'sites'>): boolean {
  if (!site?.fire) return true
  const { reset_at } = site.fire
  if (contact === 'on' || reset_at == null || reset_at === reset_before) return false
  return !is_sure || toMicroseconds(reset_at) >= toMicroseconds(since)
}

function instantOf(timestamp: string | null | undefined): number {
  return timestamp == null ? Infinity : toMicroseconds(timestamp)
}
