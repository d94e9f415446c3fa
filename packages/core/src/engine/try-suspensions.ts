import type { Attempt } from './attempt.ts'
import { findCredential } from './credentials.ts'
import { isExit } from './doors/stage-e.ts'
import { deviceOf, type Gadget } from './gadgets.ts'
import { type GrantedMethods, onlineMethod } from './granted-methods.ts'
import { methodBits } from './methods.ts'
import type { Policy } from './policy.ts'
import { type Stage, stages } from './reasons.ts'

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
