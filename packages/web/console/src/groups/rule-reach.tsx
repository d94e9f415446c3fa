import { countText, useCount } from '../data/use-count.ts'
import { useObject } from '../data/use-object.ts'
import { methodChoices } from '../events/method-words.ts'
import { spoken, t } from '../language/t.ts'
import { Name } from '../parts/name.tsx'
import { opensNothing, type RuleValues } from './rule-values.ts'

const doorWords = spoken(['door', 'doors'])
const memberWords = spoken(['member', 'members'])

/** Says whom and how many doors a rule concerns, before it is saved. */
export function RuleReach({ values, group_id }: { values: RuleValues; group_id: string }) {
  const { target, gadget_ids, schedule_id, member_group_id, methods } = values
  const members = useCount('members', [{ member_group_id: group_id }])
  const counted = useCount('gadgets', doorsOf(values))
  const { data: schedule } = useObject('schedules', schedule_id)
  const { data: other } = useObject('member_groups', member_group_id)
  if (opensNothing(values)) return <p className="rule-reach soft">Nothing is chosen yet.</p>
  const doors = target === 'gadgets' ? { count: gadget_ids.length, is_more: false } : counted
  if (!members || !doors) return <p className="rule-reach soft">Counting…</p>
  return (
    <p className="rule-reach" role="status">
      {members.count === 0 ? 'The group has no members yet. Its members will have' : 'Gives'}{' '}
      {members.count > 0 && <strong>{countText(members, memberWords)}</strong>} access to{' '}
      <strong>
        {target === 'everything' && 'all '}
        {countText(doors, doorWords)}
      </strong>
      {member_group_id && (
        <>
          {' '}
          as far as <Name>{other?.name}</Name> has it
        </>
      )}
      {schedule_id ? (
        <>
          , during <Name>{schedule?.name}</Name>
        </>
      ) : (
        ', at any time'
      )}
      {methods === null ? ', by any method' : `, by ${wordsOf(methods)}`}.
    </p>
  )
}

function doorsOf({ target, site_ids, tag_ids }: RuleValues) {
  if (target === 'sites') return site_ids.map(site_id => ({ site_id }))
  return target === 'tags' ? tag_ids.map(id => ({ tag_ids: [id] })) : [{}]
}

function wordsOf(methods: readonly string[]): string {
  const labels = methodChoices.filter(({ value }) => methods.includes(value)).map(({ label }) => label)
  return labels.join(', ') || t('no method')
}
