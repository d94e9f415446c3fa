import { t } from '../language/t.ts'
import { byName, someNames } from '../parts/some-names.ts'
import type { UnlockRule } from './unlock-rule.ts'

/** Says which doors a rule no longer unlocks. A rule that is off, or has lost its schedule, unlocks none. */
export function unlockLossesOf({ is_enabled, schedule, gadgets = [] }: UnlockRule): readonly string[] {
  const doors = gadgets.flatMap(({ name, is_deleted }) => (is_deleted ? [] : [name])).toSorted(byName)
  if (!is_enabled || schedule?.is_deleted || doors.length === 0) return []
  return [t(`It will no longer unlock ${someNames(doors)}.`)]
}
