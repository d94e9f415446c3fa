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
  /** The access token of its application. */
  token(): Promise<string>
  /** The headers for requests of its application. */
  headers(): Promise<Record<string, string>>
}

const context = { clock: systemClock, config: { whitelabel_default: true } as never }
const scopes = ['full_read_write']
/** Milliseconds. A token is good for an hour, and clients keep theirs. */
const tokenUse = 30 * 60_000

export async function createTenant(db: Pool, name: string): Promise<Tenant> {
  const organization_id = await createOrganization(context, db, name)
  const oauth_application_id = await createApplication(context, db, name)
  await installApplication(context, db, organization_id, oauth_application_id, scopes)
  const issue = () => issueAccessToken({ ...context, db }, { organization_id, oauth_application_id, scopes })
  let token = issue()
  let issued = performance.now()
  const current = () => {
    if (performance.now() - issued > tokenUse) {
      token = issue()
      issued = performance.now()
    }
    return token
  }
  return {
    organization_id,
    oauth_application_id,
    token: current,
    headers: async () => ({ authorization: `Bearer ${await current()}` }),
  }
}
