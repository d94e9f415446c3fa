import { noPrivacy, resources } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { serviceCaller } from '../../store/caller.ts'
import { newId } from '../../store/ids.ts'
import { insertObject } from '../../store/write.ts'
import type { Context } from '../objects/context.ts'

type Needs = Pick<Context, 'clock' | 'config'>

export async function createOrganization(
  { clock, config }: Needs,
  db: Database,
  name: string,
): Promise<string> {
  const now = clock.now()
  const id = newId('organization', now)
  const values = {
    id,
    name,
    color: null,
    features: { whitelabel: config.whitelabel_default },
    privacy: noPrivacy,
    privacy_pending: null,
    is_deleted: false,
    created_at: now,
    metadata: {},
  }
  await insertObject({ db, caller: serviceCaller(id), now }, resources.organization, values)
  return id
}

export async function createApplication({ clock }: Needs, db: Database, name: string): Promise<string> {
  const now = clock.now()
  const id = newId('oauth_application', now)
  await db.query('INSERT INTO oauth_applications (id, name, created_at) VALUES ($1, $2, $3)', [id, name, now])
  return id
}

/** Authorizes an application in an organization. */
export async function installApplication(
  { clock }: Needs,
  db: Database,
  organization_id: string,
  applicationId: string,
  scopes: readonly string[],
): Promise<void> {
  await db.query(
    `INSERT INTO installations (organization_id, oauth_application_id, scopes, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (organization_id, oauth_application_id) DO UPDATE SET scopes = excluded.scopes`,
    [organization_id, applicationId, scopes, clock.now()],
  )
}
