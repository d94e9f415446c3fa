import type { SliceRow } from '@gatehouse-access/api'

type Plan = SliceRow<'emergency_plans'>

/** A use of the gadget that starts and ends a plan. */
export interface Control {
  readonly plan: Plan
  readonly action: 'start' | 'end'
}

/** Returns the plans whose panic button this is. */
export function plansOfButton(plans: Iterable<Plan>, gadgetId: string, signalId: string): Plan[] {
  return [...plans].filter(({ trigger }) => trigger?.gadget_id === gadgetId && trigger.signal_id === signalId)
}

/** Several plans may share a control gadget. */
export function controlsOf(plans: Iterable<Plan>, gadgetId: string, actionId: string): Control[] {
  if (actionId !== 'start' && actionId !== 'end') return []
  return [...plans]
    .filter(({ control_gadget_id }) => control_gadget_id === gadgetId)
    .map(plan => ({ plan, action: actionId }))
}
