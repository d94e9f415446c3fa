import type { JournalEvents } from '@gatehouse-access/api'
import type {
  AccessMethod,
  DenialReason,
  ExplainedDoor,
  KeypadTarget,
  Question,
  Reason,
  Steps,
} from '@gatehouse-access/core'
import type { Moment } from '../clock.ts'
import type { EdgePolicy } from '../policy/slice-policy.ts'

/** The person at the door, and the access method. */
export interface Person {
  readonly access_method: AccessMethod
  readonly member_id?: string
  readonly credential_id?: string
  /** The UID of a card that nobody has here. */
  readonly card_uid?: string
}

/** Reasons that are meaningless while the time is unknown. */
const timely: ReadonlySet<Reason> = new Set([
  'member_not_started',
  'member_ended',
  'association_not_started',
  'association_ended',
  'outside_schedule',
])

/** Returns null when allowed. */
export function* judge(policy: EdgePolicy, question: Question, isSure: boolean): Steps<DenialReason | null> {
  const { allowed, reason } = yield* policy.decide(question)
  if (allowed || reason === null) return null
  return !isSure && timely.has(reason) ? 'clock_unsure' : reason
}

export type Explained = Pick<JournalEvents['denial'], 'rules' | 'next_allowed_at' | 'door' | 'decided_by'>

export function* explain(policy: EdgePolicy, question: Question): Steps<Explained> {
  const { rules, next_allowed_at, door, decided_by } = yield* policy.account(question)
  return {
    rules,
    ...(next_allowed_at !== null && { next_allowed_at }),
    ...(door && { door: told(door) }),
    ...(decided_by && { decided_by }),
  }
}

function told(door: ExplainedDoor) {
  return { ...door, emergency_ids: [...door.emergency_ids] }
}

export function questionOf(
  { member_id, credential_id, access_method }: Person,
  target: KeypadTarget,
  now: Moment,
  device_id: string | undefined,
): Question {
  return {
    ...target,
    ...(device_id !== undefined && { device_id }),
    access_method,
    at: now.is_sure ? now.time : Number.NaN,
    ...(member_id !== undefined && { member_id }),
    ...(credential_id !== undefined && { credential_id }),
  }
}
