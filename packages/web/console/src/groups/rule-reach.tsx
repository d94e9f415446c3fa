import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { type Count, countText, useCount } from '../data/use-count.ts'
import { useObject } from '../data/use-object.ts'
import { methodChoices } from '../events/method-words.ts'
import { spoken, t } from '../language/t.ts'
import { Name } from '../parts/name.tsx'
import { useApi } from '../session/use-api.ts'
import { opensNothing, type RuleValues } from './rule-values.ts'

const doorWords = spoken(['door', 'doors'])
const memberWords = spoken(['member', 'members'])

/** Says whom and how many doors a rule concerns, before it is saved. */
export function RuleReach({ values, group_id }: { values: RuleValues; group_id: string }) {
  const { target, gadget_ids, tag_ids, schedule_id, member_group_id, methods } = values
  const members = useMembers(group_id)
  const counted = useCount('gadgets', doorsOf(values))
  const { data: schedule } = useObject('schedules', schedule_id)
  const { data: other } = useObject('member_groups', member_group_id)
  if (opensNothing(values)) return <p className="rule-reach soft">Nothing is chosen yet.</p>
  const doors = target === 'gadgets' ? { count: gadget_ids.length, is_more: false } : counted
  if (!members || !doors) return <p className="rule-reach soft">Counting…</p>
  // A door with two of the tags is counted twice, and the other group may open fewer.
  const is_most = member_group_id !== null || (target === 'tags' && tag_ids.length > 1)
  return (
    <p className="rule-reach" role="status">
      {members.count === 0 ? 'The group has no members yet. Its members will have' : 'Gives'}{' '}
      {members.count > 0 && <strong>{countText(members, memberWords)}</strong>} access to{' '}
      <strong>
        {target === 'everything' && !is_most && 'all '}
        {is_most ? t(`up to ${countText(doors, doorWords)}`) : countText(doors, doorWords)}
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

/** Counts the members of the group, and those of groups that inherit it. */
function useMembers(group_id: string): Count | undefined {
  const { client, organization } = useApi()
  const { data } = useQuery({
    queryKey: keyOf(organization.id, 'access', 'uses', group_id),
    queryFn: ({ signal }) => client.member_groups.uses(group_id, { signal }),
  })
  return data && { count: data.member_count, is_more: false }
}

function doorsOf({ target, site_ids, tag_ids }: RuleValues) {
  if (target === 'sites') return site_ids.map(site_id => ({ site_id }))
  return target === 'tags' ? tag_ids.map(id => ({ tag_ids: [id] })) : [{}]
}

function wordsOf(methods: readonly string[]): string {
  const labels = methodChoices.filter(({ value }) => methods.includes(value)).map(({ label }) => label)
  return labels.join(', ') || t('no method')
}
