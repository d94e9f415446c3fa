import {
  createApplication,
  createOrganization,
  installApplication,
  issueAccessToken,
  type Pool,
  systemClock,
} from '../packages/server/src/index.ts'

export interface Tenant {
  readonly organization_id: string
  readonly oauth_application_id: string
  /** The headers for requests of its application. */
  headers(): Promise<Record<string, string>>
}

const context = { clock: systemClock, config: { whitelabel_default: true } as never }
const scopes = ['full_read_write']

export async function createTenant(db: Pool, name: string): Promise<Tenant> {
  const organization_id = await createOrganization(context, db, name)
  const oauth_application_id = await createApplication(context, db, name)
  await installApplication(context, db, organization_id, oauth_application_id, scopes)
  return {
    organization_id,
    oauth_application_id,
    async headers() {
      const token = await issueAccessToken(
        { ...context, db },
        { organization_id, oauth_application_id, scopes },
      )
      return { authorization: `Bearer ${token}` }
    },
  }
}
