import { type AlarmThresholds, invalid, type Resources, type StoredOf } from '@gatehouse-access/api'
import { alarmThresholds, thresholdsOf } from '@gatehouse-access/core'
import { setTimers, type Timer } from '../../alarms/timers.ts'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'
import { checkRecipients, checkUsers } from './check-recipients.ts'

type Rule = Pick<StoredOf<Resources['alarm_rule']>, 'types' | 'thresholds' | 'notify' | 'escalate'>

export const alarmRuleBehaviour = behaviour('alarm_rule', {
  settle(after) {
    checkThresholds(after.types, after.thresholds)
    checkSteps(after)
    return {}
  },
  async beforeCreate(work, values) {
    await checkUsersOf(work, values)
    await lookAgain(work, values.types)
    return {}
  },
  async beforeEdit(work, before, changes) {
    const isRestored = changes.is_deleted === false
    const { notify, escalate } = isRestored ? { ...before, ...changes } : changes
    await checkUsersOf(work, { notify: notify ?? [], escalate: escalate ?? [] })
    if (decisive.some(name => changes[name] !== undefined))
      await lookAgain(work, [...before.types, ...(changes.types ?? [])])
    return {}
  },
})

/** What decides from when on a condition is an alarm. */
const decisive = ['types', 'targets', 'delay_seconds', 'thresholds', 'is_enabled', 'is_deleted'] as const

/** Other rules, other delays: what waits is looked at again, soon and by itself, because it may be a lot. */
function lookAgain({ caller, db, now }: Work, types: Rule['types']): Promise<void> {
  const timers = [...new Set(types)].map((key): Timer => ({ kind: 'rule', key, due_at: now, about: {} }))
  return setTimers(db, caller.organization_id, timers)
}

function checkThresholds(types: Rule['types'], thresholds: AlarmThresholds): void {
  for (const name of alarmThresholds) {
    if (thresholds[name] === undefined || types.some(type => thresholdsOf(type).includes(name))) continue
    throw invalid(`thresholds.${name}`, `thresholds.${name} must be absent: no type of the rule has it`)
  }
}

function checkSteps({ notify, escalate }: Pick<Rule, 'notify' | 'escalate'>): void {
  checkRecipients('notify', notify)
  for (const [index, step] of escalate.entries()) {
    const field = `escalate.${index}`
    checkRecipients(`${field}.notify`, step.notify)
    const before = escalate[index - 1]
    if (before && step.after_seconds <= before.after_seconds)
      throw invalid(
        `${field}.after_seconds`,
        `${field}.after_seconds must be more than ${before.after_seconds}, that of the step before, not ${step.after_seconds}`,
      )
  }
}

async function checkUsersOf(
  work: Work,
  { notify, escalate }: Pick<Rule, 'notify' | 'escalate'>,
): Promise<void> {
  const steps = escalate.map(({ notify }, index) => [`escalate.${index}.notify`, notify] as const)
  await checkUsers(work, new Map([['notify', notify], ...steps]))
}
