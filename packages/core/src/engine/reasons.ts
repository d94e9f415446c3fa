/** In the order of the checks. A later reason means that an attempt got further. */
export const reasons = [
  'unknown_credential',
  'credential_deleted',
  'gadget_deleted',
  'member_deleted',
  'member_not_started',
  'member_ended',
  'member_suspended',
  'credential_suspended',
  'device_suspended',
  'no_association',
  'association_not_started',
  'association_ended',
  'group_deleted',
  'no_matching_rule',
  'method_not_allowed',
  'outside_schedule',
  'not_present',
  'supervisor_absent',
  'lockdown',
] as const

export type Reason = (typeof reasons)[number]

export interface Decision {
  allowed: boolean
  /** Null when allowed. */
  reason: Reason | null
}

/** How far an attempt got: the index of its reason in the list, or `stages.allowed` after the last. */
export type Stage = number

export const stages = {
  unknown_credential: 0,
  credential_deleted: 1,
  gadget_deleted: 2,
  member_deleted: 3,
  member_not_started: 4,
  member_ended: 5,
  member_suspended: 6,
  credential_suspended: 7,
  device_suspended: 8,
  no_association: 9,
  association_not_started: 10,
  association_ended: 11,
  group_deleted: 12,
  no_matching_rule: 13,
  method_not_allowed: 14,
  outside_schedule: 15,
  not_present: 16,
  supervisor_absent: 17,
  lockdown: 18,
  allowed: 19,
} as const satisfies Record<Reason | 'allowed', Stage>

/** One shared object per stage, so that the hot path does not allocate. */
const decisions: readonly Decision[] = [
  ...reasons.map(reason => Object.freeze({ allowed: false, reason })),
  Object.freeze({ allowed: true, reason: null }),
]

export function decisionAt(stage: Stage): Decision {
  return decisions[stage] as Decision
}

export function reasonAt(stage: Stage): Reason | null {
  return reasons[stage] ?? null
}
