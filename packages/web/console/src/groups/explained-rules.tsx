import type { Explanation } from '@gatehouse-access/api'
import { kindWords } from '../calendars/kind-words.ts'
import { type DecidedRule, hasChanged, termsWords } from '../events/decided-words.ts'
import { reasonText } from '../events/reason-words.ts'
import { IconCheck, IconX } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { formatDate } from '../parts/dates.ts'
import { Name } from '../parts/name.tsx'
import type { Group } from './rule.ts'
import { RuleWords } from './rule-words.tsx'
import { useRuleGroups } from './use-rule-groups.ts'
import './groups.css'

type Tried = Explanation['rules'][number]

interface ExplainedProps {
  readonly rules: readonly Tried[]
  /** What decided in the past, as it was then. Other rules are shown as they are today. */
  readonly then?: readonly DecidedRule[]
}

/** Shows each rule that was tried, in words, with its first failed condition. */
export function ExplainedRules({ rules, then = [] }: ExplainedProps) {
  const groupOf = useRuleGroups(rules.map(({ member_group_id }) => member_group_id))
  if (rules.length === 0) return <p className="soft">No rules were checked.</p>
  return (
    <ol className="rule-list">
      {rules.map((tried, index) => (
        <li key={index} data-failed={tried.failed ?? ''}>
          <Rule tried={tried} group={groupOf(tried.member_group_id)} then={thenOf(tried, then)} />
          <Verdict tried={tried} />
        </li>
      ))}
    </ol>
  )
}

function thenOf(tried: Tried, then: readonly DecidedRule[]): DecidedRule | undefined {
  return then.find(
    rule => rule.member_group_id === tried.member_group_id && rule.rule_index === tried.rule_index,
  )
}

interface RuleProps {
  readonly tried: Tried
  readonly group: Group | undefined
  readonly then: DecidedRule | undefined
}

function Rule({ tried, group, then }: RuleProps) {
  if (then) return <RuleThen rule={then} group={group} />
  const rule = tried.rule_index == null ? undefined : group?.permissions[tried.rule_index]
  if (rule)
    return (
      <span className="rule-words">
        <RuleWords rule={rule} who={group?.name} />
        {tried.is_inherited && <span className="soft"> (inherited)</span>}
      </span>
    )
  return (
    <span className="rule-words">
      Group <Name fallback="…">{group?.name}</Name>
    </span>
  )
}

/** A rule as it was. What it opened is the door of the event. */
function RuleThen({ rule, group }: { rule: DecidedRule; group: Group | undefined }) {
  return (
    <span className="rule-words">
      Anyone in{' '}
      <strong>
        <Name fallback="…">{group?.name}</Name>
      </strong>{' '}
      could use this door {termsWords(rule).replace(/^all times/, t('at all times'))}
      {rule.is_inherited && <span className="soft"> (inherited)</span>}
      {hasChanged(rule, group) && <span className="soft"> The rule has changed since.</span>}
    </span>
  )
}

function Verdict({ tried: { failed, schedule_day } }: { tried: Tried }) {
  return failed ? (
    <span className="rule-verdict bad-ink">
      <IconX size={14} aria-hidden /> {reasonText(failed)}
      {failed === 'outside_schedule' && dayText(schedule_day)}
    </span>
  ) : (
    <span className="rule-verdict good-ink">
      <IconCheck size={14} aria-hidden /> Allowed
    </span>
  )
}

/** Returns why the day had other times than usual: ` Tue 8 Dec is a holiday.` */
function dayText(day: Tried['schedule_day']): string {
  if (!day || day.source === 'weekday') return ''
  const is =
    day.source === 'exception'
      ? t('an exception of the schedule')
      : t(`special: ${kindWords(day.kind ?? '')}`)
  return t(` ${formatDate(day.date, 'short')} is ${is}.`)
}
