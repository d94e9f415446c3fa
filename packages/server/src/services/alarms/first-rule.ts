import { firstAlarmRule, resources } from '@gatehouse-access/api'
import type { Work } from '../objects/context.ts'
import { insertNew } from '../objects/new-object.ts'

/** Adds the rule that a new organization begins with. */
export async function addFirstRule(work: Work): Promise<void> {
  await insertNew(work, resources.alarm_rule, firstAlarmRule)
}
