import type { GroupRow, PolicyRows, Question } from '../../packages/core/src/index.ts'
import { passes, prepareObjects } from './hand-written-loop.ts'
import { loadModule } from './load-module.ts'

interface Enforcer {
  addPolicies(rules: string[][]): Promise<boolean>
  addGroupingPolicies(rules: string[][]): Promise<boolean>
  addFunction(name: string, body: (...values: unknown[]) => boolean): Promise<void>
  enforceSync(...values: unknown[]): boolean
}
interface Casbin {
  newModelFromString(text: string): unknown
  newEnforcer(model: unknown): Promise<Enforcer>
}

const model = `
[request_definition]
r = sub, gadget, site, asked
[policy_definition]
p = sub, gadget, site, rule
[role_definition]
g = _, _
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = (p.gadget == r.gadget || p.site == r.site || p.gadget == '*') && g(r.sub, p.sub) && passes(p.rule, r.asked)
`

/** Groups are roles. A rule is a function, except for its target. The cheap check comes first. */
export async function prepareCasbin(
  rows: PolicyRows,
): Promise<((question: Question) => boolean) | undefined> {
  const casbin = await loadModule<Casbin>('casbin')
  if (!casbin) return undefined
  const enforcer = await casbin.newEnforcer(casbin.newModelFromString(model))
  await enforcer.addPolicies(rows.groups.flatMap(writePolicies))
  await enforcer.addGroupingPolicies(uniquePairs(rows))
  const { members, gadgets, rules } = prepareObjects(rows)
  await enforcer.addFunction('passes', (key, question) => {
    const gadget = gadgets.get((question as Question).gadget_id)
    const [groupId = '', index] = String(key).split('.')
    const rule = rules.get(groupId)?.[Number(index)]
    return gadget !== undefined && rule !== undefined && passes(rule, gadget, question as Question)
  })
  return question => {
    const member = members.get(question.member_id ?? '')
    const gadget = gadgets.get(question.gadget_id)
    if (!member || !gadget || question.at < member.starts || question.at >= member.ends) return false
    return enforcer.enforceSync(question.member_id, gadget.id, gadget.site.site.id, question)
  }
}

function writePolicies({ id, permissions }: GroupRow): string[][] {
  return permissions.map(({ gadget_id, site_id }, index) => [
    id,
    gadget_id ?? (site_id ? '-' : '*'),
    site_id ?? '-',
    `${id}.${index}`,
  ])
}

function uniquePairs({ associations }: PolicyRows): string[][] {
  const pairs = associations.map(({ member_id, member_group_id }) => [member_id, member_group_id])
  return [...new Map(pairs.map(pair => [pair.join(), pair])).values()]
}
