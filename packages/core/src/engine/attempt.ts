import { findCredential, holderOf, isCredentialDeleted, methodOfCredential } from './credentials.ts'
import { isWithin } from './distance.ts'
import type { Group } from './groups.ts'
import { findMember, headOf, memberStates, stateOf } from './members.ts'
import { methodBits } from './methods.ts'
import { type Gadget, livingGadget } from './places.ts'
import type { Policy } from './policy.ts'
import type { AccessMethod, Location } from './policy-rows.ts'
import { type Stage, stages } from './reasons.ts'
import { weekSecondAt } from './week.ts'

/** Who wants to use what, how, when and where. Either `member_id` or `credential_id` is given. */
export interface Question {
  member_id?: string
  credential_id?: string
  gadget_id: string
  action_id: string
  /** Without it a PIN or card counts as used at the door, everything else as online. */
  access_method?: AccessMethod
  /** Microseconds since 1970, see `toMicroseconds`. NaN when the time is not known: what is bound to time is denied. */
  at: number
  location?: Location | null
}

/** A question whose ids are found. What only some rules ask for is worked out when the first one asks. */
export interface Attempt {
  member: number
  gadget: Gadget
  action_id: string
  /** Whether the action is one of the gadget's: no rule matches another. */
  has_action: boolean
  method: number
  at: number
  location: Location | null
  week_second: number
  is_present: boolean | null
  /** How far each inherited group lets this attempt come. */
  inherited: Map<Group, Stage> | null
}

/** The stage at which it ends already when someone or something it names is not there. */
export function openAttempt(policy: Policy, question: Question): Attempt | Stage {
  const { members, places } = policy
  const credential = question.credential_id
  const member =
    credential === undefined ? findMember(members, question.member_id ?? '') : findHolder(policy, credential)
  const state = member < 0 ? memberStates.unknown : stateOf(headOf(members, member))
  if (state === memberStates.unknown) return stages.unknown_credential
  if (credential !== undefined && isRevoked(policy, credential)) return stages.credential_deleted
  const gadget = livingGadget(places, question.gadget_id)
  if (gadget === undefined) return stages.gadget_deleted
  if (state === memberStates.deleted) return stages.member_deleted
  const method = question.access_method ?? defaultMethod(policy, credential)
  return makeAttempt(member, gadget, methodBits[method], question)
}

export function weekSecond(attempt: Attempt): number {
  if (attempt.week_second < 0) attempt.week_second = weekSecondAt(attempt.gadget.site.zone, attempt.at)
  return attempt.week_second
}

/** Only an action through the internet has to prove presence. */
export function isPresent(attempt: Attempt): boolean {
  if (attempt.method !== methodBits.online) return true
  attempt.is_present ??= isWithin(attempt.gadget.site.geo, attempt.location)
  return attempt.is_present
}

export function makeAttempt(
  member: number,
  gadget: Gadget,
  method: number,
  question: Pick<Question, 'action_id' | 'at' | 'location'>,
): Attempt {
  const { action_id, at } = question
  return {
    member,
    gadget,
    action_id,
    has_action: gadget.actions.includes(action_id),
    method,
    at,
    location: question.location ?? null,
    week_second: -1,
    is_present: null,
    inherited: null,
  }
}

function findHolder({ credentials }: Policy, id: string): number {
  const number = findCredential(credentials, id)
  return number < 0 ? -1 : holderOf(credentials, number)
}

function isRevoked({ credentials }: Policy, id: string): boolean {
  return isCredentialDeleted(credentials, findCredential(credentials, id))
}

function defaultMethod({ credentials }: Policy, id: string | undefined): AccessMethod {
  return id === undefined ? 'online' : methodOfCredential(credentials, findCredential(credentials, id))
}
