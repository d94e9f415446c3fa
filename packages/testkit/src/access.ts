import {
  createApplication,
  createOrganization,
  installApplication,
  issueAccessToken,
  type Pool,
  systemClock,
} from '@gatehouse-access/server'

/** Creates an organization and a token with all rights in the database of a service that runs elsewhere. */
export async function openAccess(db: Pool): Promise<{ organization_id: string; token: string }> {
  const context = { db, clock: systemClock, config: { whitelabel_default: true } } as never
  const organization_id = await createOrganization(context, db, 'Test organization')
  const oauth_application_id = await createApplication(context, db, 'Test application')
  const scopes = ['full_read_write']
  await installApplication(context, db, organization_id, oauth_application_id, scopes)
  const token = await issueAccessToken(context, { organization_id, oauth_application_id, scopes })
  return { organization_id, token }
}
