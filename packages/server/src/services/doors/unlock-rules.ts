import type { Resources, StoredOf } from '@gatehouse-access/api'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'
import { checkHeldDoors, checkSignal } from './check-doors.ts'

type Rule = Pick<StoredOf<Resources['unlock_rule']>, 'site_id' | 'gadget_ids' | 'last_person_signal'>

export const unlockRuleBehaviour = behaviour('unlock_rule', {
  beforeCreate: (work, values) => checkRule(work, values),
  async beforeEdit(work, before, changes) {
    const isRestored = changes.is_deleted === false
    const concerns = isRestored || changes.gadget_ids || changes.last_person_signal
    return concerns ? checkRule(work, { ...before, ...changes }) : {}
  },
})

async function checkRule(work: Work, rule: Rule): Promise<Record<never, never>> {
  await checkHeldDoors(work, 'gadget_ids', rule.gadget_ids, rule.site_id)
  if (rule.last_person_signal)
    await checkSignal(work, 'last_person_signal', rule.last_person_signal, rule.site_id)
  return {}
}
