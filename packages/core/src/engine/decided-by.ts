import type { Mode } from '../modes/precedence.ts'
import type { Question } from './attempt.ts'
import { localDay } from './days/local-days.ts'
import { rulingOn } from './days/times-on.ts'
import type { Explanation, TriedRule } from './explain.ts'
import { findLivingGadget, type Gadget } from './gadgets.ts'
import { timesText } from './hours-text.ts'
import { second } from './microseconds.ts'
import type { Site } from './places.ts'
import type { Policy } from './policy.ts'
import { type RuleTerms, termsOfRule } from './rule-terms.ts'
import type { Schedule } from './schedules.ts'
import { stretchAt } from './zones.ts'

/** A rule that decided, as it was then. */
export interface DecidedRule extends RuleTerms {
  member_group_id: string
  rule_index: number
  is_inherited?: true
  /** Present if the day was not as its weekday. */
  day?: DecidedDay
}

export interface DecidedDay {
  source: 'special_day' | 'exception'
  kind: string | null
  times: string
}

/** What decided an attempt. It stays true whatever becomes of the rules, the schedules and the site. */
export interface DecidedBy {
  timezone: string
  /** Seconds that local time was ahead of UTC. */
  utc_offset: number
  /** The rules that came furthest, at most a few. */
  rules: DecidedRule[]
  /** The mode of the door, unless its rules alone counted. */
  mode?: Mode
}

/** Of a denial, several rules may have come equally far. More than this nobody reads. */
const mostDenying = 5
const mostAllowing = 2

/** Returns null where the local time is unknown: without a gadget, a zone or a time. */
export function decidedBy(policy: Policy, question: Question, explanation: Explanation): DecidedBy | null {
  const number = findLivingGadget(policy, question.gadget_id)
  if (number < 0) return null
  const { site } = policy.gadgets.cells[number] as Gadget
  const { offset } = stretchAt(site.zone, question.at)
  if (Number.isNaN(offset)) return null
  const mode = explanation.door?.mode
  return {
    timezone: site.zone.name,
    utc_offset: offset / second,
    rules: decisive(explanation).flatMap(tried => describe(policy, site, question.at + offset, tried)),
    ...(mode && mode !== 'controlled' && { mode }),
  }
}

/** Those that failed for the reason of the denial; if the door itself denied, those that would have allowed. */
function decisive({ allowed, reason, rules }: Explanation): TriedRule[] {
  const stopped = rules.filter(({ failed, rule_index }) => rule_index !== null && failed === reason)
  const passed = rules.filter(({ failed, rule_index }) => rule_index !== null && failed === null)
  return stopped.length > 0 ? stopped.slice(0, allowed ? mostAllowing : mostDenying) : passed.slice(0, 1)
}

function describe({ groups }: Policy, site: Site, wall: number, tried: TriedRule): DecidedRule[] {
  const { is_inherited, member_group_id, rule_index } = tried
  const rule = groups.by_id.get(member_group_id)?.rules[rule_index ?? -1]
  if (!rule || rule_index === null) return []
  const day = rule.schedule && dayOf(rule.schedule, site, wall)
  return [
    {
      member_group_id,
      rule_index,
      ...(is_inherited && { is_inherited }),
      ...termsOfRule(rule),
      ...(day && { day }),
    },
  ]
}

function dayOf({ days, is_living }: Schedule, site: Site, wall: number): DecidedDay | null {
  const ruling = days === null || !is_living ? null : rulingOn(days, site.days, localDay(wall))
  return ruling && { source: ruling.source, kind: ruling.kind, times: timesText(ruling.times) }
}
