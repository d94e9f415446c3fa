/** In the order of the checks. A later reason means that an attempt got further. */
export const reasons = [
  'unknown_credential',
  'credential_deleted',
  'gadget_deleted',
  'member_deleted',
  'member_not_started',
  'member_ended',
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
  no_association: 6,
  association_not_started: 7,
  association_ended: 8,
  group_deleted: 9,
  no_matching_rule: 10,
  method_not_allowed: 11,
  outside_schedule: 12,
  not_present: 13,
  supervisor_absent: 14,
  lockdown: 15,
  allowed: 16,
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
