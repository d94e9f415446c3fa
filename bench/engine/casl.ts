import type { PolicyRows, Question } from '../../packages/core/src/index.ts'
import { passes, prepareObjects, type ReadyGadget, type ReadyRule } from './hand-written-loop.ts'
import { loadModule } from './load-module.ts'

interface Asked {
  gadget: ReadyGadget
  question: Question
}
type Condition = (asked: Asked) => boolean
interface RawRule {
  action: string
  subject: string
  conditions: Condition
}
interface PreparedAbility {
  can(action: string, subject: Asked): boolean
}
interface Casl {
  Ability: new (rules: RawRule[], options: object) => PreparedAbility
}

/** One ability per member. A rule is a condition function, except for its action: CASL's fastest matcher. */
export async function prepareCasl(rows: PolicyRows): Promise<((question: Question) => boolean) | undefined> {
  const casl = await loadModule<Casl>('@casl/ability')
  if (!casl) return undefined
  const { members, gadgets } = prepareObjects(rows)
  const options = {
    conditionsMatcher: (condition: Condition) => condition,
    detectSubjectType: () => 'gadget',
  }
  const abilities = new Map(
    [...members].map(([id, { groups, starts, ends }]) => {
      const rules = groups.flatMap(group => group.rules).map(rule => rawRule(rule, starts, ends))
      return [id, new casl.Ability(rules, options)]
    }),
  )
  return question => {
    const gadget = gadgets.get(question.gadget_id)
    if (!gadget) return false
    return abilities.get(question.member_id ?? '')?.can(question.action_id, { gadget, question }) ?? false
  }
}

function rawRule(rule: ReadyRule, starts: number, ends: number): RawRule {
  return {
    action: rule.rule.action_id ?? 'manage',
    subject: 'gadget',
    conditions: ({ gadget, question }) =>
      question.at >= starts && question.at < ends && passes(rule, gadget, question),
  }
}
