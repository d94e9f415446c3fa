import type { Client } from '@gatehouse-access/sdk'
import type { EmergencyType, Plan } from './emergency.ts'

/** What the form of a plan edits. */
export interface PlanValues {
  readonly name: string
  readonly type: EmergencyType
  readonly site_ids: readonly string[]
  readonly gadget_ids: readonly string[]
  readonly tag_ids: readonly string[]
  readonly excluded_gadget_ids: readonly string[]
  readonly exempt_member_group_ids: readonly string[]
  readonly unlocked_gadget_ids: readonly string[]
  readonly offline_hold_seconds: number | null
  readonly ends_after_seconds: number | null
  readonly control_gadget_id: string | null
  readonly trigger: { readonly gadget_id: string; readonly signal_id: string } | null
}

export function toValues(plan: Plan | undefined): PlanValues {
  const { site_ids, gadget_ids, tag_ids, excluded_gadget_ids } = plan?.targets ?? {}
  return {
    name: plan?.name ?? '',
    type: plan?.type ?? 'lockdown',
    site_ids: site_ids ?? [],
    gadget_ids: gadget_ids ?? [],
    tag_ids: tag_ids ?? [],
    excluded_gadget_ids: excluded_gadget_ids ?? [],
    exempt_member_group_ids: plan?.exempt_member_group_ids ?? [],
    unlocked_gadget_ids: plan?.unlocked_gadget_ids ?? [],
    offline_hold_seconds: plan ? (plan.offline_hold_seconds ?? null) : 43_200,
    ends_after_seconds: plan?.ends_after_seconds ?? null,
    control_gadget_id: plan?.control_gadget_id ?? null,
    trigger: plan?.trigger ?? null,
  }
}

/** Sends nothing that only a lockdown has with an evacuation: the service refuses it. */
export function toBody(values: PlanValues): Parameters<Client['emergency_plans']['create']>[0] {
  const { site_ids, gadget_ids, tag_ids, excluded_gadget_ids, ...rest } = values
  const is_lockdown = values.type === 'lockdown'
  return {
    ...rest,
    targets: {
      site_ids: [...site_ids],
      gadget_ids: [...gadget_ids],
      tag_ids: [...tag_ids],
      excluded_gadget_ids: [...excluded_gadget_ids],
    },
    exempt_member_group_ids: is_lockdown ? [...values.exempt_member_group_ids] : [],
    unlocked_gadget_ids: is_lockdown ? [...values.unlocked_gadget_ids] : [],
  }
}
