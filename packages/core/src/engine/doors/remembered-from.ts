import { rememberFrom } from '../../modes/first-person.ts'
import { livingGadget } from '../gadgets.ts'
import type { Policy } from '../policy.ts'
import { sourcesOfDoor } from './span-of-door.ts'

/**
 * Returns from when on arrivals and departures of an unlock rule still matter, in microseconds; Infinity for a
 * rule that unlocks nothing.
 */
export function rememberedFrom(policy: Policy, unlock_rule_id: string, at: number): number {
  for (const id of policy.modes.rules.get(unlock_rule_id)?.gadget_ids ?? []) {
    const gadget = livingGadget(policy, id)
    if (!gadget?.door) continue
    const rule = sourcesOfDoor(policy, gadget, gadget.door).rules.find(own => own.id === unlock_rule_id)
    if (rule) return rememberFrom(rule, gadget.site, at)
  }
  return Infinity
}
