import { findCredential, holderOf, isCredentialDeleted, methodOfCredential } from './credentials.ts'
import type { Day } from './days/dates.ts'
import { dayIdsOn } from './days/day-ids.ts'
import { localDay } from './days/local-days.ts'
import { noSiteDays } from './days/site-days.ts'
import { isWithin } from './distance.ts'
import { createGadget, findLivingGadget, type Gadget, hasAction } from './gadgets.ts'
import type { Aim, Group } from './groups.ts'
import { findMember, headOf, memberStates, stateOf } from './members.ts'
import { methodBits } from './methods.ts'
import type { Site } from './places.ts'
import type { Policy } from './policy.ts'
import type { AccessMethod, Location } from './policy-rows.ts'
import { type Stage, stages } from './reasons.ts'
import { everything, targetBits, targetOfGadget, targetOfSite } from './targets.ts'
import { weekSecondAt } from './week.ts'
import { createZone, stretchAt } from './zones.ts'

/** An access question: who, what, how, when and where. Set either `member_id` or `credential_id`. */
export interface Question {
  member_id?: string
  credential_id?: string
  /** The device at which it is presented; the gadget's own by default. Means nothing online. */
  device_id?: string
  gadget_id: string
  action_id: string
  /** Defaults to the credential's own method for a PIN or card, and to online for everything else. */
  access_method?: AccessMethod
  /** Microseconds since 1970, see `toMicroseconds`. NaN when unknown: every time-bound condition fails. */
  at: number
  location?: Location | null
}

/** A question with its ids resolved. Values that only some rules need are computed on first use. */
export interface Attempt extends Aim {
  member: number
  credential_id: string | null
  device_id: string | null
  site: Site
  action_id: string
  /** Whether the gadget has the action. No rule matches an action that it does not have. */
  has_action: boolean
  method: number
  at: number
  location: Location | null
  week_second: number
  is_present: boolean | null
  /** By kind, the calendar days of the local date. Only explanations need them. */
  day_ids: ReadonlyMap<string, string> | null
  /** The stage that each inherited group lets this attempt reach. */
  inherited: Map<Group, Stage> | null
}

/** Fills `attempt`. Returns the stage of the first missing or deleted object, or `allowed`. */
export function openAttempt(policy: Policy, question: Question, attempt: Attempt): Stage {
  const { gadgets, members } = policy
  const credential = question.credential_id
  const member =
    credential === undefined ? findMember(members, question.member_id ?? '') : findHolder(policy, credential)
  const state = member < 0 ? memberStates.unknown : stateOf(headOf(members, member))
  if (state === memberStates.unknown) return stages.unknown_credential
  if (credential !== undefined && isRevoked(policy, credential)) return stages.credential_deleted
  const gadget = findLivingGadget(policy, question.gadget_id)
  if (gadget < 0) return stages.gadget_deleted
  if (state === memberStates.deleted) return stages.member_deleted
  const method = question.access_method ?? defaultMethod(policy, credential)
  fillAttempt(attempt, member, methodBits[method], question)
  aimAttempt(attempt, gadgets.cells[gadget] as Gadget)
  attempt.has_action = hasAction(gadgets, gadget, question.action_id)
  return stages.allowed
}

export function weekSecond(attempt: Attempt): number {
  if (attempt.week_second < 0) attempt.week_second = weekSecondAt(attempt.site.zone, attempt.at)
  return attempt.week_second
}

/** Returns the local date at the site; NaN for an unknown zone. */
export function dayOfAttempt({ at, site }: Attempt): Day {
  return localDay(at + stretchAt(site.zone, at).offset)
}

/** Returns the calendar day that makes the local date one of this kind; null if it has no id. */
export function dayIdOf(attempt: Attempt, kind: string): string | null {
  attempt.day_ids ??= dayIdsOn(attempt.site.days, dayOfAttempt(attempt))
  return attempt.day_ids.get(kind) ?? null
}

/** Only online access has to prove presence. */
export function isPresent(attempt: Attempt): boolean {
  if (attempt.method !== methodBits.online) return true
  attempt.is_present ??= isWithin(attempt.site.geo, attempt.location)
  return attempt.is_present
}

export function createAttempt(): Attempt {
  return {
    member: -1,
    credential_id: null,
    device_id: null,
    gadget_target: everything,
    site_target: everything,
    target_bits: 0,
    gadget: noGadget,
    site: nowhere,
    action_id: '',
    has_action: false,
    method: 0,
    at: Number.NaN,
    location: null,
    week_second: -1,
    is_present: null,
    day_ids: null,
    inherited: null,
  }
}

/** Creates an attempt without a member or a method. */
export function makeAttempt(gadget: Gadget, question: Asked): Attempt {
  const attempt = createAttempt()
  fillAttempt(attempt, -1, 0, question)
  aimAttempt(attempt, gadget)
  attempt.has_action = gadget.actions.includes(question.action_id)
  return attempt
}

type Asked = Pick<Question, 'action_id' | 'at' | 'credential_id' | 'device_id' | 'location'>

const nowhere: Site = {
  id: '',
  number: -1,
  zone: createZone('UTC'),
  geo: null,
  days: noSiteDays,
  edition: { number: 0 },
  memo: null,
}
const noGadget = createGadget('', -1, nowhere)

function fillAttempt(attempt: Attempt, member: number, method: number, question: Asked): void {
  attempt.member = member
  attempt.credential_id = question.credential_id ?? null
  attempt.device_id = question.device_id ?? null
  attempt.method = method
  attempt.action_id = question.action_id
  attempt.at = question.at
  attempt.location = question.location ?? null
  attempt.week_second = -1
  attempt.is_present = null
  attempt.day_ids = null
  attempt.inherited = null
}

function aimAttempt(attempt: Attempt, gadget: Gadget): void {
  attempt.gadget = gadget
  attempt.site = gadget.site
  attempt.gadget_target = targetOfGadget(gadget.number)
  attempt.site_target = targetOfSite(gadget.site.number)
  attempt.target_bits = targetBits(attempt.gadget_target) | targetBits(attempt.site_target) | gadget.tag_bits
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
