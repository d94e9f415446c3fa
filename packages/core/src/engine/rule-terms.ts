import type { Weekday } from '../weekdays.ts'
import type { Rule } from './groups.ts'
import { weekdaysText, weekText } from './hours-text.ts'
import { allMethods, listMethods, methodsOf } from './methods.ts'
import type { AccessMethod, PermissionRule } from './policy-rows.ts'

/** What a rule says, short enough to be kept with each decision. What it does not limit is left out. */
export interface RuleTerms {
  site_id?: string
  gadget_id?: string
  tag_id?: string
  action_id?: string
  presence?: 'gps'
  /** Left out: all of them. */
  access_methods?: AccessMethod[]
  /** The group that it inherits from. */
  inherited_group_id?: string
  schedule_id?: string
  /** The weekly times of the schedule, see `weekText`. Left out for a deleted schedule. */
  times?: string
}

export function termsOfRule({ site, gadget, tag, schedule, inherits, ...rule }: Rule): RuleTerms {
  return {
    ...(site && { site_id: site.id }),
    ...(tag ? { tag_id: tag.id } : gadget && { gadget_id: gadget.id }),
    ...(rule.action_id !== null && { action_id: rule.action_id }),
    ...(rule.needs_presence && { presence: 'gps' }),
    ...(rule.methods !== allMethods && { access_methods: listMethods(rule.methods) }),
    ...(inherits && { inherited_group_id: inherits.id }),
    ...(schedule && { schedule_id: schedule.id }),
    ...(schedule?.is_living && { times: weekText(schedule.week) }),
  }
}

/** The same of a rule as the API has it, so that what decided can be compared with what holds today. */
export function termsOfRow(rule: PermissionRule, schedule?: { weekdays: readonly Weekday[] }): RuleTerms {
  const methods = methodsOf(rule)
  return {
    ...(rule.site_id && { site_id: rule.site_id }),
    ...(rule.gadget_id && { gadget_id: rule.gadget_id }),
    ...(rule.tag_id && { tag_id: rule.tag_id }),
    ...(rule.action_id && { action_id: rule.action_id }),
    ...(rule.presence === 'gps' && { presence: 'gps' }),
    ...(methods !== allMethods && { access_methods: listMethods(methods) }),
    ...(rule.member_group_id && { inherited_group_id: rule.member_group_id }),
    ...(rule.schedule_id && { schedule_id: rule.schedule_id }),
    ...(schedule && { times: weekdaysText(schedule.weekdays) }),
  }
}
