import {
  type EventObject,
  type EventSubject,
  invalid,
  RequestError,
  type Resources,
  resources,
  type StoredOf,
} from '@gatehouse-access/api'
import { type Explanation, mayOpenDoor, modeOfDoorSteps, toMicroseconds } from '@gatehouse-access/core'
import type { Row } from '../../database/db.ts'
import type { Outcome } from '../../devices/commands/commands.ts'
import { findObject } from '../../store/find.ts'
import { logDenial } from '../../store/write.ts'
import type { InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { notFound } from '../objects/objects.ts'
import { type AskedQuestion, type Judged, judgeNow } from './decisions.ts'

type Gadget = StoredOf<Resources['gadget']>

/** Runs an action for an application that has checked the permissions itself. */
export async function runGadgetAction({
  work,
  id,
  ids,
  readBody,
}: InputOf<'gadget', 'run_action'>): Promise<Row> {
  const gadget = await findGadget(work, id, ids.action_id)
  const { override_emergency = false } = readBody()
  if (!work.caller.features.whitelabel)
    throw new RequestError('permission_denied', 'the organization does not have the whitelabel feature', {
      args: { reason: 'whitelabel_disabled' },
    })
  if (gadget.is_deleted) throw invalid('gadget_id', 'the gadget is deleted')
  const lockdown = await findLockdown(work, gadget, ids.action_id)
  if (lockdown && !override_emergency)
    await deny(work, gadget, ids.action_id, work.caller.subject(), judgedByDoor(lockdown), lockedDown)
  await perform(work, gadget, ids.action_id, work.caller.subject(), lockdown && { override_emergency })
  return {}
}

/** The rules of members have no part in it. */
function judgedByDoor(explanation: Explanation): Judged {
  return { explanation, decided_by: null }
}

const lockedDown = 'the door is locked down; to run the action nevertheless, send override_emergency: true'

/** Returns why an application may not run an action, unless it says that it means to. */
async function findLockdown(
  { context, caller, now }: Work,
  { id, door }: Gadget,
  actionId: string,
): Promise<Explanation | undefined> {
  if (door === null || !mayOpenDoor(door, actionId)) return undefined
  const found = await context.doors.ask(caller.organization_id, policy =>
    modeOfDoorSteps(policy, id, toMicroseconds(now)),
  )
  if (found?.mode.effective !== 'lockdown') return undefined
  const { effective: mode, ...cause } = found.mode
  const next_allowed_at = cause.until
  return { allowed: false, reason: 'lockdown', rules: [], next_allowed_at, door: { mode, ...cause } }
}

/** Runs an action for a member, within the member's own permissions. */
export async function executeAsMember({
  work,
  id,
  ids,
  readBody,
}: InputOf<'gadget', 'execute_as_member'>): Promise<Row> {
  const action_id = ids.action_id
  const gadget = await findGadget(work, id, action_id)
  const { member_id, location } = readBody()
  await requireMember(work, member_id)
  const question = {
    member_id,
    gadget_id: id,
    action_id,
    access_method: 'online',
    location: location ?? null,
  } as const
  await runForMember(work, gadget, question, { ...work.caller.subject(), member_id, access_method: 'online' })
  return {}
}

/** Decides, then runs the action. A denial writes an event and throws an error with the reason. */
export async function runForMember(
  work: Work,
  gadget: Gadget,
  question: AskedQuestion,
  subject: EventSubject,
): Promise<void> {
  const judged = await judgeNow(work, question)
  if (!judged.explanation.allowed) await deny(work, gadget, question.action_id, subject, judged)
  const { decided_by } = judged
  await perform(work, gadget, question.action_id, subject, decided_by ? { decided_by } : {})
}

export async function findGadget(work: Work, id: string, actionId: string): Promise<Gadget> {
  const gadget = await findObject(
    work.db,
    resources.gadget,
    { organization_id: work.caller.organization_id },
    id,
  )
  if (!gadget) throw notFound(resources.gadget)
  if (!gadget.actions.some(action => action.id === actionId))
    throw new RequestError('not_found', 'the gadget has no such action')
  return gadget
}

async function requireMember(work: Work, id: string): Promise<void> {
  const member = await findObject(
    work.db,
    resources.member,
    { organization_id: work.caller.organization_id, bounds: work.caller.bounds },
    id,
  )
  if (!member) throw invalid('member_id', 'member_id: there is no member with this id')
}

/** The event is written once the device has confirmed. An action that did not happen leaves no event. */
async function perform(
  work: Work,
  gadget: Gadget,
  actionId: string,
  subject: EventSubject,
  beside: Partial<EventObject> = {},
): Promise<void> {
  const outcome = await command(work, gadget, subject, { ...actionObject(gadget, actionId), ...beside })
  if (outcome === 'offline')
    throw new RequestError('hardware_offline', 'the device of the gadget is not connected; nothing was done')
  if (outcome === 'timed_out')
    throw new RequestError(
      'hardware_timeout',
      'the device did not confirm in time; whether the action happened is unknown',
    )
  if (outcome !== 'done')
    throw new RequestError('hardware_failed', outcomes[outcome], { args: { reason: outcome } })
}

const outcomes = {
  failed: 'the device tried, but the hardware did not do it',
  refused: 'the device did not try: it does not know the action, or is not sure of the time',
}

async function command(
  work: Work,
  gadget: Gadget,
  subject: EventSubject,
  object: EventObject,
): Promise<Outcome> {
  const { organization_id } = work.caller
  const device = await findObject(work.db, resources.device, { organization_id }, gadget.device_id)
  return work.context.commands.run({
    organization_id,
    device_id: gadget.device_id,
    gadget_id: gadget.id,
    action_id: object.gadget_action_id ?? '',
    hardware_id: device?.hardware_id ?? null,
    event: { subject, object },
  })
}

async function deny(
  work: Work,
  gadget: Gadget,
  actionId: string,
  subject: EventSubject,
  { explanation, decided_by }: Judged,
  message?: string,
): Promise<never> {
  const reason = explanation.reason ?? 'no_matching_rule'
  const object: EventObject = { ...actionObject(gadget, actionId), type: 'access_denial', reason }
  await logDenial(work, subject, decided_by ? { ...object, decided_by } : object, explanation)
  throw new RequestError(
    'permission_denied',
    message ?? `the member does not have access to this action: ${reason}`,
    {
      args: { reason, ...(explanation.next_allowed_at && { next_allowed_at: explanation.next_allowed_at }) },
    },
  )
}

function actionObject(gadget: Gadget, actionId: string): EventObject {
  return {
    type: 'gadget_action',
    gadget_id: gadget.id,
    gadget_action_id: actionId,
    device_id: gadget.device_id,
    site_id: gadget.site_id,
  }
}
