import type { Attempt } from './attempt.ts'
import { findCredential } from './credentials.ts'
import { isExit } from './doors/stage-e.ts'
import { deviceOf, type Gadget } from './gadgets.ts'
import { type GrantedMethods, onlineMethod } from './granted-methods.ts'
import { methodBits } from './methods.ts'
import { toMicroseconds } from './microseconds.ts'
import type { Policy } from './policy.ts'
import type { Suspension } from './policy-rows.ts'
import { type Stage, stages } from './reasons.ts'

/** Until when each is suspended, by number. Few ever are, so most decisions read nothing but `is_empty`. */
export interface Suspensions {
  members: Map<number, number>
  credentials: Map<number, number>
  devices: Map<number, number>
  is_empty: boolean
}

type Suspended = 'members' | 'credentials' | 'devices'

export function createSuspensions(): Suspensions {
  return { members: new Map(), credentials: new Map(), devices: new Map(), is_empty: true }
}

/** Looks up the number only if it matters: loading many rows must not cost a search for each. */
export function putSuspension(
  suspensions: Suspensions,
  kind: Suspended,
  { is_suspended, suspended_until }: Suspension,
  findNumber: () => number,
): void {
  if (!is_suspended && suspensions[kind].size === 0) return
  const number = findNumber()
  if (!is_suspended) suspensions[kind].delete(number)
  else suspensions[kind].set(number, suspended_until == null ? Infinity : toMicroseconds(suspended_until))
  const { members, credentials, devices } = suspensions
  suspensions.is_empty = members.size + credentials.size + devices.size === 0
}

/** Nobody is kept in: an action that lets people out is refused by no suspension. */
export function trySuspensions(policy: Policy, attempt: Attempt): Stage {
  if (policy.suspensions.is_empty || isExit(attempt)) return stages.allowed
  const { at } = attempt
  if (isBefore(at, memberResumes(policy, attempt.member))) return stages.member_suspended
  if (isBefore(at, credentialResumes(policy, attempt))) return stages.credential_suspended
  return isBefore(at, inputsResume(policy, attempt)) ? stages.device_suspended : stages.allowed
}

/** Returns from when on no suspension refuses the attempt; Infinity if there is no end. */
export function resumesAt(policy: Policy, attempt: Attempt): number {
  if (policy.suspensions.is_empty || isExit(attempt)) return -Infinity
  return Math.max(
    memberResumes(policy, attempt.member),
    credentialResumes(policy, attempt),
    inputsResume(policy, attempt),
  )
}

export function isMemberSuspended(policy: Policy, member: number, at: number): boolean {
  return isBefore(at, memberResumes(policy, member))
}

/** Returns what suspensions leave of what groups grant to a member, at the inputs of the gadget's own device. */
export function withoutSuspended(
  policy: Policy,
  member: number,
  attempt: Attempt,
  granted: GrantedMethods,
): GrantedMethods {
  if (policy.suspensions.is_empty || isExit(attempt)) return granted
  if (isMemberSuspended(policy, member, attempt.at)) return 0
  return isBefore(attempt.at, gadgetResumes(policy, attempt.gadget)) ? granted & onlineMethod : granted
}

/** Says what doors must have in common to be alike for suspensions. */
export function suspensionClass(policy: Policy, gadget: Gadget, action_id: string): string {
  if (policy.suspensions.is_empty) return ''
  return isExit({ gadget, action_id }) ? 'out' : `${gadgetResumes(policy, gadget)}`
}

/** A time that is unknown is before every end. */
function isBefore(at: number, resumes: number): boolean {
  return resumes !== -Infinity && !(at >= resumes)
}

function memberResumes({ suspensions }: Policy, member: number): number {
  return suspensions.members.get(member) ?? -Infinity
}

function credentialResumes({ credentials, suspensions }: Policy, { credential_id }: Attempt): number {
  if (credential_id === null || suspensions.credentials.size === 0) return -Infinity
  return suspensions.credentials.get(findCredential(credentials, credential_id)) ?? -Infinity
}

/** Only what is presented at a device passes its inputs. */
function inputsResume(policy: Policy, { device_id, gadget, method }: Attempt): number {
  const { places, suspensions } = policy
  if (method === methodBits.online || suspensions.devices.size === 0) return -Infinity
  if (device_id === null) return gadgetResumes(policy, gadget)
  return suspensions.devices.get(places.devices.get(device_id) ?? -1) ?? -Infinity
}

function gadgetResumes({ gadgets, suspensions }: Policy, gadget: Gadget): number {
  return suspensions.devices.get(deviceOf(gadgets, gadget)) ?? -Infinity
}
