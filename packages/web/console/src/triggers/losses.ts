import { t } from '../language/t.ts'
import { nameOf, type Trigger } from './trigger.ts'

/** Says what no longer happens without a trigger. Without its source or its target, nothing did. */
export function triggerLossesOf(trigger: Trigger): readonly string[] {
  const { source_gadget, source_schedule, target_gadget, target_action_id } = trigger
  const source = source_gadget ?? source_schedule
  if (!source || !target_gadget || source.is_deleted || target_gadget.is_deleted) return []
  const action = nameOf(target_gadget.actions, target_action_id)
  return [t(`${source.name} will no longer run ${action} on ${target_gadget.name}.`)]
}
