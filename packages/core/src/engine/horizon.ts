import { localDay } from './days/local-days.ts'
import { livingGadget } from './gadgets.ts'
import type { Policy } from './policy.ts'
import { stretchAt } from './zones.ts'

/**
 * Whether a controller was offline for so long that it does not know the special days of the gadget's site any
 * more. Rules whose schedules have `special_days` are then closed, except on yearly days of their first kind
 * and on exceptions.
 */
export function isBeyondHorizon(policy: Policy, gadget_id: string, at: number): boolean {
  const site = livingGadget(policy, gadget_id)?.site
  return site !== undefined && localDay(at + stretchAt(site.zone, at).offset) > site.days.until
}
