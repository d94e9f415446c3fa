import { Name } from '../parts/name.tsx'
import { type ExpandedRule, methodWords, scheduleWords } from './rule.ts'

/** The sentence without links, for rows that are links themselves. */
export function RuleText({ rule }: { rule: ExpandedRule }) {
  const methods = methodWords(rule)
  return (
    <>
      {rule.member_group_id ? (
        <>
          What <Name>{rule.member_group?.name}</Name> may
        </>
      ) : rule.gadget_id ? (
        <Name>{rule.gadget?.name}</Name>
      ) : rule.site_id ? (
        <>
          Everything in <Name>{rule.site?.name}</Name>
        </>
      ) : (
        'Everything'
      )}
      {rule.schedule && `, ${scheduleWords(rule.schedule.weekdays)}`}
      {methods && `, by ${methods}`}
    </>
  )
}
