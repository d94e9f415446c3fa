import {
  type ChangesOf,
  type EmergencyTargetsValue,
  invalid,
  mostDoors,
  RequestError,
  type Resources,
  resources,
  type StoredOf,
} from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { holdLock } from '../database/locks.ts'
import { present } from '../flow/present.ts'
import { findObject } from '../store/find.ts'
import { newId } from '../store/ids.ts'
import { insertObject, type Write } from '../store/write.ts'
import { endOnDoors } from './end-emergency.ts'
import { findDoors, findEmergenciesOn } from './targeted.ts'

type Emergency = StoredOf<Resources['emergency']>
type Plan = StoredOf<Resources['emergency_plan']>

/** What an emergency takes from its plan, or from the request. */
export type Planned = Pick<
  Emergency,
  'name' | 'type' | 'targets' | 'exempt_member_group_ids' | 'unlocked_gadget_ids' | 'offline_hold_seconds'
>

export function plannedBy(plan: Planned): Planned {
  const { name, type, targets, exempt_member_group_ids, unlocked_gadget_ids, offline_hold_seconds } = plan
  return { name, type, targets, exempt_member_group_ids, unlocked_gadget_ids, offline_hold_seconds }
}

/**
 * Everything that starts, ends or narrows emergencies of an organization takes turns, so that of a lockdown and
 * an evacuation of one door exactly one is started.
 */
export function holdEmergencies({ db, caller }: Write): Promise<void> {
  return holdLock(db, 'emergencies_of_organization', caller.organization_id)
}

/**
 * Checks what is to be started, ends what it replaces, and returns the rest of its columns. Needs a transaction
 * that holds the emergencies.
 */
export async function settleStart(
  write: Write,
  planned: Planned,
  replaces: readonly string[],
): Promise<ChangesOf<Resources['emergency']>> {
  const doors = await checkTargets(write, planned.targets)
  const ids = doors.map(({ id }) => id)
  const others = await findEmergenciesOn(write, ids)
  const conflict = others.find(
    ({ id, type, gadget_ids }) => type !== planned.type && gadget_ids.length > 0 && !replaces.includes(id),
  )
  if (conflict) throw conflictWith(planned.type, conflict.id, present(conflict.gadget_ids[0], 'a door'))
  for (const other of others.filter(({ id }) => replaces.includes(id))) await endOnDoors(write, other)
  return { ...planned, started_at: write.now, renewed_at: write.now }
}

/** Returns the doors of targets. Throws if there are none or too many, or if one would lock people in. */
export async function checkTargets(
  write: Pick<Write, 'db' | 'caller'>,
  targets: EmergencyTargetsValue,
): Promise<{ readonly id: string }[]> {
  const doors = await findDoors(write, targets, mostDoors + 1)
  if (doors.length === 0) throw invalid('targets', 'targets: there is no door among them')
  if (doors.length > mostDoors)
    throw invalid('targets', `targets have more than ${mostDoors} doors; make several of them`)
  const trap = doors.find(({ is_trap }) => is_trap)
  if (trap)
    throw invalid(
      'targets',
      `targets: door ${trap.id} has electric egress and no exit_signal_id, so people could not leave`,
    )
  return doors
}

function conflictWith(type: Emergency['type'], emergency_id: string, gadget_id: string): RequestError {
  return new RequestError(
    'emergency_conflict',
    `${type === 'lockdown' ? 'a lockdown' : 'an evacuation'} cannot start: emergency ${emergency_id} is active on door ${gadget_id}; end it, or name it in replaces`,
    { args: { field: 'targets', emergency_id, gadget_id } },
  )
}

/** A start that somebody made at a door: a panic button, or the action `start` of a control gadget. */
export interface LocalStart {
  readonly emergency_plan_id: string
  /** When it started there, by the clock of the service. */
  readonly at: string
}

/** Whether an emergency that a controller started without the service has ended there by itself. */
function isOver({ ends_after_seconds, offline_hold_seconds }: Plan, at: string, now: string): boolean {
  return [ends_after_seconds, offline_hold_seconds].some(
    seconds => seconds !== null && addSeconds(at, seconds) <= now,
  )
}

/**
 * Starts a plan that a controller has already started at its own doors. If it is running, that is the one: two
 * buttons make one emergency. Nothing is refused, because the doors are locked already; on a door with an
 * evacuation, that wins. Returns undefined if there is no such plan any more, or if what the controller started
 * is over there by now: it may tell of it days later. Needs a transaction.
 */
export async function startEmergency(
  write: Write,
  { emergency_plan_id, at }: LocalStart,
): Promise<Emergency | undefined> {
  const { organization_id } = write.caller
  await holdEmergencies(write)
  const plan = await findObject(write.db, resources.emergency_plan, { organization_id }, emergency_plan_id)
  if (!plan || plan.is_deleted) return undefined
  const [running] = await findRunning(write, emergency_plan_id)
  if (running) return running
  if (isOver(plan, at, write.now)) return undefined
  const ends_at = plan.ends_after_seconds === null ? null : addSeconds(at, plan.ends_after_seconds)
  return insertObject(write, resources.emergency, {
    id: newId('emergency', write.now),
    organization_id,
    emergency_plan_id,
    ...plannedBy(plan),
    reason: null,
    is_drill: false,
    started_at: at,
    ends_at,
    ended_at: null,
    end_reason: null,
    is_active: true,
    renewed_at: write.now,
    final_gadget_count: null,
    final_cannot_count: null,
    is_deleted: false,
    created_at: write.now,
    metadata: {},
  })
}

/** Returns the emergencies of a plan that have not ended, the oldest first. */
export async function findRunning({ db, caller }: Write, planId: string): Promise<Emergency[]> {
  const { organization_id } = caller
  const rows = await db.query<{ id: string }>(
    'SELECT id FROM emergencies WHERE organization_id = $1 AND emergency_plan_id = $2 AND ended_at IS NULL ORDER BY created_at, id',
    [organization_id, planId],
  )
  const found = rows.map(({ id }) => findObject(db, resources.emergency, { organization_id }, id))
  return (await Promise.all(found)).flatMap(one => one ?? [])
}
