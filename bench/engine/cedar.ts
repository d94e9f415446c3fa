import type { PermissionRule, PolicyRows, Question } from '../../packages/core/src/index.ts'
import { isOpen, prepareObjects, type ReadyGadget } from './hand-written-loop.ts'
import { loadModule } from './load-module.ts'

interface Uid {
  type: string
  id: string
}
interface Cedar {
  preparsePolicySet(id: string, policies: { staticPolicies: string }): { type: string }
  statefulIsAuthorized(call: object): { type: string; response?: { decision: string } }
}

/**
 * Policies are parsed in advance. A call carries only the entities that it concerns, and the schedules that
 * are open in the site's local time, because Cedar has no weekly schedules.
 */
export async function prepareCedar(rows: PolicyRows): Promise<((question: Question) => boolean) | undefined> {
  const cedar = await loadModule<Cedar>('@cedar-policy/cedar-wasm/nodejs')
  if (!cedar) return undefined
  const staticPolicies = rows.groups
    .flatMap(group => group.permissions.map(rule => writePolicy(group.id, rule)))
    .join('\n')
  if (cedar.preparsePolicySet('bench', { staticPolicies }).type !== 'success')
    throw new Error('unparsable policies')
  const ready = prepareObjects(rows)
  const groups = Map.groupBy(rows.associations, ({ member_id }) => member_id)
  return question => {
    const member = ready.members.get(question.member_id ?? '')
    const gadget = ready.gadgets.get(question.gadget_id)
    if (!member || !gadget || question.at < member.starts || question.at >= member.ends) return false
    const parents = (groups.get(question.member_id ?? '') ?? []).map(({ member_group_id }) =>
      group(member_group_id),
    )
    const answer = cedar.statefulIsAuthorized(makeCall(question, gadget, parents, rows))
    return answer.response?.decision === 'allow'
  }
}

function group(id: string): Uid {
  return { type: 'Group', id }
}

function writePolicy(groupId: string, rule: PermissionRule): string {
  const resource = rule.gadget_id
    ? `resource == Gadget::"${rule.gadget_id}"`
    : rule.site_id
      ? `resource in Site::"${rule.site_id}"`
      : 'resource'
  const conditions = [
    rule.schedule_id && `context.open.contains("${rule.schedule_id}")`,
    rule.presence === 'gps' && '(context.method != "online" || context.present)',
    rule.access_methods && `${JSON.stringify(trueMethods(rule))}.contains(context.method)`,
  ].filter(Boolean)
  const when = conditions.length === 0 ? '' : ` when { ${conditions.join(' && ')} }`
  return `permit(principal in Group::"${groupId}", action, ${resource})${when};`
}

function trueMethods(rule: PermissionRule): string[] {
  return Object.entries(rule.access_methods ?? {}).flatMap(([method, allowed]) => (allowed ? [method] : []))
}

function makeCall(question: Question, gadget: ReadyGadget, parents: Uid[], rows: PolicyRows): object {
  const principal = { type: 'Member', id: question.member_id }
  const resource = { type: 'Gadget', id: question.gadget_id }
  const open = rows.schedules.filter(schedule => isOpen(schedule, gadget.site, question.at))
  return {
    principal,
    action: { type: 'Action', id: question.action_id },
    resource,
    context: { method: question.access_method, present: true, open: open.map(({ id }) => id) },
    preparsedPolicySetId: 'bench',
    entities: [
      { uid: principal, attrs: {}, parents },
      { uid: resource, attrs: {}, parents: [{ type: 'Site', id: gadget.site.site.id }] },
    ],
  }
}
