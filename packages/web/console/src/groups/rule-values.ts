import type { PermissionRule } from '@gatehouse-access/api'
import { accessMethods } from '@gatehouse-access/core'

export type Target = 'everything' | 'sites' | 'gadgets' | 'tags'

export interface RuleValues {
  /** Null: not chosen yet. */
  readonly target: Target | null
  readonly site_ids: readonly string[]
  readonly gadget_ids: readonly string[]
  readonly tag_ids: readonly string[]
  /** Of a single door. */
  readonly action_id: string | null
  readonly schedule_id: string | null
  readonly member_group_id: string | null
  readonly gps: boolean
  /** Null: all methods are allowed. */
  readonly methods: readonly string[] | null
}

/**
 * A new rule starts with no target. A default of everything could open every door to the whole group by
 * accident.
 */
export function toValues(rule: PermissionRule | undefined): RuleValues {
  if (!rule) return { ...toValues({}), target: null }
  return {
    target: targetOf(rule),
    site_ids: rule.site_id ? [rule.site_id] : [],
    gadget_ids: rule.gadget_id ? [rule.gadget_id] : [],
    tag_ids: rule.tag_id ? [rule.tag_id] : [],
    action_id: rule.action_id ?? null,
    schedule_id: rule.schedule_id ?? null,
    member_group_id: rule.member_group_id ?? null,
    gps: rule.presence === 'gps',
    methods: rule.access_methods ? accessMethods.filter(method => rule.access_methods?.[method]) : null,
  }
}

function targetOf({ gadget_id, site_id, tag_id }: PermissionRule): Target {
  if (gadget_id) return 'gadgets'
  if (tag_id) return 'tags'
  return site_id ? 'sites' : 'everything'
}

/** Returns a rule for each site, door or tag: the API's rule names one. */
export function toRules(values: RuleValues): PermissionRule[] {
  const { target, site_ids, gadget_ids, tag_ids, action_id } = values
  const terms = termsOf(values)
  if (target === 'sites') return site_ids.map(site_id => ({ site_id, ...terms }))
  if (target === 'tags') return tag_ids.map(tag_id => ({ tag_id, ...terms }))
  if (target !== 'gadgets') return [terms]
  const action = gadget_ids.length === 1 && action_id ? { action_id } : {}
  return gadget_ids.map(gadget_id => ({ gadget_id, ...action, ...terms }))
}

function termsOf({ schedule_id, member_group_id, gps, methods }: RuleValues): PermissionRule {
  return {
    ...(schedule_id && { schedule_id }),
    ...(member_group_id && { member_group_id }),
    presence: gps ? 'gps' : 'none',
    ...(methods && {
      access_methods: Object.fromEntries(accessMethods.map(method => [method, methods.includes(method)])),
    }),
  }
}

/** Returns true until the user has chosen what the rule opens. */
export function opensNothing({
  target,
  site_ids,
  gadget_ids,
  tag_ids,
  member_group_id,
}: RuleValues): boolean {
  if (target === 'sites') return site_ids.length === 0
  if (target === 'gadgets') return gadget_ids.length === 0
  if (target === 'tags') return tag_ids.length === 0
  return target === null && !member_group_id
}

/** Returns true if the rule allows no method, so that it would open nothing. */
export function hasNoMethod({ methods }: RuleValues): boolean {
  return methods !== null && methods.length === 0
}
