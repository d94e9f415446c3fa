import {
  type AcknowledgedAlarms,
  type ChangesOf,
  invalid,
  type RequestError,
  type Resources,
  resources,
  type StoredOf,
} from '@gatehouse-access/api'
import { closeTimes } from '../../alarms/close-times.ts'
import { calmNow } from '../../alarms/handle-timers.ts'
import { codeOf } from '../../flow/failures.ts'
import { findObject } from '../../store/find.ts'
import { noteBeginnings } from '../../telling/note-alarms.ts'
import type { ActionInput, InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { applyEdit, getObject } from '../objects/objects.ts'
import { checkQuiet } from './check-quiet.ts'

type Alarm = StoredOf<Resources['alarm']>
type Changes = ChangesOf<Resources['alarm']>

/** `POST /alarms/{id}/acknowledge` */
export function acknowledgeAlarm(input: InputOf<'alarm', 'acknowledge'>): Promise<Alarm> {
  return change(input, async (work, alarm) => {
    const { note } = input.readBody()
    refuseClosed(alarm, 'acknowledged')
    return { ...(await taken(work, alarm)), ...(note !== undefined && { note }) }
  })
}

/** `POST /alarms/{id}/snooze`: acknowledged for a while. */
export function snoozeAlarm(input: InputOf<'alarm', 'snooze'>): Promise<Alarm> {
  return change(input, async (work, alarm) => {
    const { until } = input.readBody()
    refuseClosed(alarm, 'snoozed')
    checkQuiet(until, work.now)
    return taken(work, alarm, until)
  })
}

/** `POST /alarms/{id}/close` */
export function closeAlarm(input: InputOf<'alarm', 'close'>): Promise<Alarm> {
  return change(input, async (work, alarm) => {
    const { note } = input.readBody()
    if (alarm.state === 'closed') return {}
    if (alarm.is_flapping) await calmNow(work.db, work, alarm.id)
    const changes = { state: 'closed', is_flapping: false, snoozed_until: null, closes_at: null } as const
    return { ...changes, ...(note !== undefined && { note }) }
  })
}

/** As if nobody had taken care of it. */
const untaken: Changes = {
  state: 'open',
  acknowledged_at: null,
  acknowledged_by_user_id: null,
  snoozed_until: null,
  closes_at: null,
}

/** `POST /alarms/{id}/reopen` */
export function reopenAlarm(input: InputOf<'alarm', 'reopen'>): Promise<Alarm> {
  const reopened = change(input, async (work, alarm) => {
    input.readBody()
    if (alarm.state === 'open') return {}
    if (alarm.state === 'closed') await refuseSecond(work, alarm)
    await noteBeginnings(work.db, work.caller.organization_id, [alarm], work.now)
    return untaken
  })
  return reopened.catch(error => {
    // It began again in this instant.
    throw codeOf(error) === '23505' ? secondOf(input.id, 'another alarm') : error
  })
}

type Input = Pick<ActionInput<Resources['alarm']>, 'work' | 'target' | 'id'>

function change(
  { work, target, id }: Input,
  decide: (work: Work, alarm: Alarm) => Promise<Changes>,
): Promise<Alarm> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const alarm = await getObject(inner, target, id, true)
    const changes = await decide(inner, alarm)
    if (Object.keys(changes).length === 0) return alarm
    return applyEdit(inner, target.resource, await getObject(inner, target, id, true), changes)
  })
}

function refuseClosed({ id, state }: Alarm, done: string): void {
  if (state === 'closed')
    throw invalid('state', `the alarm ${id} is closed and cannot be ${done}; reopen it first`)
}

/**
 * Whoever comes first has taken it: acknowledging again changes nothing but until when it is snoozed. What is over
 * closes by itself.
 */
async function taken(work: Work, alarm: Alarm, snoozed_until = alarm.snoozed_until): Promise<Changes> {
  if (alarm.state !== 'open' && snoozed_until === alarm.snoozed_until) return {}
  const changes = { ...(alarm.state === 'open' && acknowledgedBy(work)), snoozed_until }
  const closing = await closeTimes(work.db, work, [{ ...alarm, ...changes }])
  return { ...changes, closes_at: closing.get(alarm.id) ?? null }
}

function acknowledgedBy({ caller, now }: Work) {
  const acknowledged_by_user_id = caller.user_id ?? null
  return { state: 'acknowledged', acknowledged_at: now, acknowledged_by_user_id } as const
}

/** What an alarm is about has one alarm that is not closed. */
async function refuseSecond({ caller, db }: Work, { id }: Alarm): Promise<void> {
  const [other] = await db.query<{ id: string }>(
    `SELECT o.id FROM alarms a JOIN alarms o ON o.organization_id = a.organization_id AND o.condition_key = a.condition_key
     WHERE a.organization_id = $1 AND a.id = $2 AND o.state <> 'closed' LIMIT 1`,
    [caller.organization_id, id],
  )
  if (other) throw secondOf(id, other.id)
}

function secondOf(id: string, other: string): RequestError {
  return invalid('state', `the alarm ${id} cannot be reopened: ${other} is about the same and not closed`)
}

/** `POST /alarms/acknowledge`: all or none. */
export function acknowledgeAlarms({
  work,
  readBody,
}: InputOf<'alarm', 'acknowledge_many'>): Promise<AcknowledgedAlarms> {
  const { alarm_ids } = readBody()
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const alarms = await holdAlarms(inner, alarm_ids)
    const open = alarms.filter(({ state }) => state === 'open')
    for (const alarm of open) await applyEdit(inner, resources.alarm, alarm, await taken(inner, alarm))
    return { alarm_ids: open.map(({ id }) => id) }
  })
}

/** Locks alarms in the order of their ids, so that two requests for the same ones do not wait for each other. */
async function holdAlarms(work: Work, ids: readonly string[]): Promise<Alarm[]> {
  const reach = { organization_id: work.caller.organization_id }
  const held = new Map<string, Alarm>()
  for (const id of [...ids].sort()) {
    const alarm = await findObject(work.db, resources.alarm, reach, id, { lock: true })
    if (alarm) held.set(id, alarm)
  }
  return ids.map((id, index) => {
    const alarm = held.get(id)
    if (!alarm) throw invalid(`alarm_ids.${index}`, `alarm_ids.${index}: there is no alarm ${id}`)
    return alarm
  })
}
