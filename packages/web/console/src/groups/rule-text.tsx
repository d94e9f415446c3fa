import { Name } from '../parts/name.tsx'
import { allowedMethods, type ExpandedRule, scheduleWords, specialWords } from './rule.ts'

/** Renders the sentence without links, for rows that are links themselves. */
export function RuleText({ rule }: { rule: ExpandedRule }) {
  const methods = allowedMethods(rule)
  return (
    <>
      {rule.member_group_id ? (
        <>
          Same as <Name>{rule.member_group?.name}</Name>
        </>
      ) : rule.gadget_id ? (
        <Name>{rule.gadget?.name}</Name>
      ) : rule.tag_id ? (
        <>
          Doors tagged <Name>{rule.tag?.name}</Name>
        </>
      ) : rule.site_id ? (
        <>
          Everything at <Name>{rule.site?.name}</Name>
        </>
      ) : (
        'Everything'
      )}
      {rule.schedule && `, ${scheduleWords(rule.schedule.weekdays)}`}
      {rule.schedule &&
        rule.schedule.special_days.length > 0 &&
        `, ${specialWords(rule.schedule.special_days)}`}
      {methods && `, by ${methods}`}
    </>
  )
}
