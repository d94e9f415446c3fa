import { useQueries } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { useApi } from '../session/use-api.ts'
import { type Group, ruleExpands } from './rule.ts'

/** Loads groups with what their rules name. Returns a function that finds one, once it is loaded. */
export function useRuleGroups(ids: Iterable<string>): (id: string) => Group | undefined {
  const { client, organization } = useApi()
  const known = [...new Set(ids)]
  const groups = useQueries({
    queries: known.map(id => ({
      queryKey: keyOf(organization.id, 'member_groups', 'one', id, ruleExpands),
      queryFn: () =>
        client.member_groups.get(id, { expand: ruleExpands }) as Promise<unknown> as Promise<Group>,
    })),
  })
  return id => groups[known.indexOf(id)]?.data
}
