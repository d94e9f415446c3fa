import { invalid, resources } from '@gatehouse-access/api'
import { findObject } from '../../store/find.ts'
import type { Work } from '../objects/context.ts'

/** Reports about a site that is not there would be empty, and look like a quiet one. */
export async function requireSite({ db, caller }: Work, site_id: string): Promise<void> {
  const { organization_id } = caller
  if (!(await findObject(db, resources.site, { organization_id }, site_id)))
    throw invalid('site_id', `site_id: there is no site ${site_id}`)
}
