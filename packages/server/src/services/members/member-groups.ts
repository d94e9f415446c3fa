import { invalid, type PermissionRule, type Resources, type StoredOf } from '@gatehouse-access/api'
import { holdLock } from '../../database/locks.ts'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'
import { checkApplies } from '../objects/tags.ts'
import { checkActions } from '../places/actions-in-use.ts'

export const memberGroupBehaviour = behaviour('member_group', {
  settle(after) {
    for (const [index, rule] of after.permissions.entries()) checkTarget(rule, `permissions.${index}`)
    checkTagCount(after.permissions)
    return {}
  },
  async beforeCreate(work, values) {
    await checkRuleActions(work, values.permissions)
    await checkRuleTags(work, values.permissions)
    return {}
  },
  async beforeEdit(work, before, changes) {
    if (changes.permissions) {
      await checkRuleActions(work, changes.permissions)
      await checkRuleTags(work, changes.permissions, before.permissions)
    }
    if (changes.permissions || changes.is_deleted === false)
      await refuseCycle(work, { ...before, ...changes })
    return {}
  },
})

/** A rule targets a site, a gadget or a tag, not several of them. An action requires a gadget. */
function checkTarget(rule: PermissionRule, path: string): void {
  if (rule.site_id && rule.gadget_id)
    throw invalid(`${path}.site_id`, `${path}: site_id and gadget_id must not both be set`)
  if (rule.tag_id && (rule.site_id || rule.gadget_id))
    throw invalid(
      `${path}.tag_id`,
      `${path}: tag_id and ${rule.site_id ? 'site_id' : 'gadget_id'} must not both be set`,
    )
  if (rule.action_id && !rule.gadget_id)
    throw invalid(`${path}.action_id`, `${path}: action_id needs gadget_id`)
}

/** A controller is sent a rule for each of its gadgets that has the tag. */
const mostTagRules = 50

function checkTagCount(rules: readonly PermissionRule[]): void {
  const count = rules.filter(({ tag_id }) => tag_id).length
  if (count > mostTagRules)
    throw invalid('permissions', `permissions: at most ${mostTagRules} rules can have a tag_id, not ${count}`)
}

/** Only a tag for gadgets can be named. Rules keep theirs if a tag is restricted later. */
async function checkRuleTags(
  work: Work,
  rules: readonly PermissionRule[],
  before: readonly PermissionRule[] = [],
): Promise<void> {
  const known = new Set(before.map(({ tag_id }) => tag_id))
  for (const [index, { tag_id }] of rules.entries())
    if (tag_id && !known.has(tag_id))
      await checkApplies(work, 'gadget', [tag_id], `permissions.${index}.tag_id`)
}

function checkRuleActions(work: Work, rules: readonly PermissionRule[]): Promise<void> {
  const named = rules.flatMap(({ gadget_id, action_id }, index) =>
    gadget_id && action_id ? [{ field: `permissions.${index}.action_id`, gadget_id, action_id }] : [],
  )
  return checkActions(work, named)
}

/** A new group cannot be in a cycle. Edits are serialized, so that two at once cannot form one together. */
async function refuseCycle(work: Work, group: StoredOf<Resources['member_group']>): Promise<void> {
  const parents = inherited(group.permissions)
  if (parents.length === 0) return
  await holdLock(work.db, 'inheritance_of_organization', work.caller.organization_id)
  const [cycle] = await work.db.query(
    `WITH RECURSIVE reached(id) AS (
       SELECT unnest($2::text[])
       UNION SELECT rule->>'member_group_id' FROM reached JOIN member_groups g ON g.organization_id = $1 AND g.id = reached.id,
         jsonb_array_elements(g.permissions) AS rule WHERE rule->>'member_group_id' IS NOT NULL
     ) SELECT 1 FROM reached WHERE id = $3`,
    [work.caller.organization_id, parents, group.id],
  )
  if (cycle)
    throw invalid(
      'permissions',
      `permissions: member_group_id would make group ${group.id} inherit from itself`,
    )
}

function inherited(rules: readonly PermissionRule[]): string[] {
  return rules.flatMap(({ member_group_id }) => member_group_id ?? [])
}
