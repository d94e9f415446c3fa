import { invalid } from '@gatehouse-access/api'
import { checkReferences } from '../../store/references.ts'
import type { Work } from '../objects/context.ts'
import { isSiteRole, type Position } from './roles.ts'

/** The columns `role`, `duty`, `site_ids` and `signed_out_at` of a user, see migration 185. */
export function columnsOf({ role, site_ids }: Position): unknown[] {
  return isSiteRole(role) ? ['viewer', role, site_ids, 'infinity'] : [role, null, null, null]
}

/** Throws unless the role can be limited to these sites, all of which exist. */
export async function checkSites({ db, caller }: Work, { role, site_ids }: Position): Promise<void> {
  if (site_ids === null) return
  if (!isSiteRole(role))
    throw invalid('site_ids', `site_ids must be absent: the role ${role} is for the whole organization`)
  if (site_ids.length === 0)
    throw invalid('site_ids', 'site_ids must name at least one site; leave it out for all sites')
  const references = site_ids.map((id, index) => ({ field: `site_ids.${index}`, kind: 'site' as const, id }))
  await checkReferences(db, caller, references)
}
