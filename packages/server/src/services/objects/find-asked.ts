import type { Condition, ListQuery } from '@gatehouse-access/api'
import { groupsAt, type Policy, type Steps } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { findNamed } from '../../store/events/find-named.ts'
import type { Reach } from '../../store/where.ts'
import type { Context } from './context.ts'

type Needs = Pick<Context, 'policies'>

/**
 * Finds what filters ask for that SQL cannot tell: which groups reach a site follows from their rules. Of events, finds
 * whom a group or tag is about, because few of them are looked up differently from many.
 */
export async function findAsked(
  db: Database,
  context: Needs,
  reach: Pick<Reach, 'organization_id' | 'bounds'>,
  query: ListQuery,
): Promise<ListQuery> {
  if (!query.conditions.some(({ filter }) => filter.through)) return query
  const conditions = query.conditions.map(async (condition, index) => {
    const found = await findFor(condition, index)
    return found ? { ...condition, found } : condition
  })
  return { ...query, conditions: await Promise.all(conditions) }

  async function findFor({ filter, value }: Condition, index: number) {
    if (filter.through?.reaches) return groupsOf(context, reach, String(value))
    const isNamed = filter.through && filter.path !== filter.name
    return isNamed ? findNamed(db, reach, query, index) : undefined
  }
}

/** To somebody of other sites, a site is as if it did not exist. */
async function groupsOf(
  { policies }: Needs,
  { organization_id, bounds }: Pick<Reach, 'organization_id' | 'bounds'>,
  site_id: string,
): Promise<readonly string[]> {
  if (bounds && !bounds.site_ids.includes(site_id)) return []
  return policies.ask(organization_id, policy => groupsOfSite(policy, site_id))
}

function* groupsOfSite(policy: Policy, site_id: string): Steps<readonly string[]> {
  const { sites, site_lives } = policy.places
  const site = sites.get(site_id)
  return site && site_lives[site.number] ? (yield* groupsAt(policy, [site_id])).reaching : []
}
