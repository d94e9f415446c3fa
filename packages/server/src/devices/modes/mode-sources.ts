import type { SliceRow } from '@gatehouse-access/api'
import type { Emergency } from '@gatehouse-access/core'
import type { Gateways } from './gateways.ts'

export interface GadgetSignal {
  readonly gadget_id: string
  readonly signal_id: string
}

export interface Plan {
  /** What the emergency will be that it starts. */
  readonly reach: Emergency
  readonly offline_hold_seconds: number | null
  readonly ends_after_seconds: number | null
  readonly control_gadget_id: string | null
  readonly trigger: GadgetSignal | null
}

export interface RunningEmergency {
  readonly reach: Emergency
  readonly plan_id: string | null
}

export interface UnlockRule {
  readonly row: Omit<SliceRow<'unlock_rules'>, 'gadget_ids'>
  readonly gadgets: ReadonlySet<string>
}

export type Fire = NonNullable<SliceRow<'sites'>['fire']>

/** Everything that sets the modes of an organization's doors, as far as it is not deleted and not over. */
export interface ModeSources {
  readonly unlock_rules: Map<string, UnlockRule>
  /** By gadget. */
  readonly overrides: Map<string, SliceRow<'overrides'>>
  readonly emergencies: Map<string, RunningEmergency>
  readonly emergency_plans: Map<string, Plan>
  /** By site. */
  readonly fires: Map<string, Fire>
  readonly gateways: Gateways
}

/** Whether there is nothing that could set a mode, as in most organizations. */
export function isIdle({
  emergencies,
  emergency_plans,
  fires,
  overrides,
  unlock_rules,
}: ModeSources): boolean {
  return [emergencies, emergency_plans, fires, overrides, unlock_rules].every(({ size }) => size === 0)
}
