import type { DoorEmergency } from '../../modes/door-sources.ts'
import type { Gadget } from '../gadgets.ts'
import type { Policy } from '../policy.ts'
import type { Steps } from '../steps.ts'
import { asksMode, sourcesOfDoorSteps } from './span-of-door.ts'

/**
 * Returns the same text for doors of a site whose modes have the same sources, so that they are always in the
 * same mode; empty if the mode has not to be asked for.
 */
export function* modeClass(policy: Policy, gadget: Gadget): Steps<string> {
  if (gadget.door === null || !asksMode(policy, gadget)) return ''
  const sources = yield* sourcesOfDoorSteps(policy, gadget, gadget.door)
  const { can_hold, evacuations, fire_since, lockdowns, override, rules, site } = sources
  const end = override && [override.mode, override.since, String(override.until), override.is_timed]
  const ids = rules.map(({ id }) => id)
  return JSON.stringify([site.id, can_hold, fire_since, name(evacuations), name(lockdowns), end, ids])
}

function name(emergencies: readonly DoorEmergency[]): string[] {
  return emergencies.map(({ id, is_unlocking }) => `${id} ${is_unlocking}`)
}
