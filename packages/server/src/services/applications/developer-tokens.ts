import { RequestError } from '@gatehouse-access/api'
import type { Row } from '../../database/db.ts'
import { present } from '../../flow/present.ts'
import type { Work } from '../objects/context.ts'
import type { Role } from '../roles/roles.ts'
import { issueAccessToken } from './access-tokens.ts'
import { authorizeApplication } from './authorizations.ts'

const scopes = ['full_read_write']

/**
 * Issues a token without the OAuth flow, for a developer's own application in their own test organization.
 * Installs the application if needed.
 */
export async function issueDeveloperToken(
  work: Work,
  role: Role,
  oauth_application_id: string,
): Promise<Row> {
  const { db, caller, context } = work
  const own = await db.query('SELECT 1 FROM test_organizations WHERE organization_id = $1 AND user_id = $2', [
    caller.organization_id,
    caller.user_id,
  ])
  if (own.length === 0)
    throw new RequestError(
      'permission_denied',
      'this works only for a test organization that you created from a template',
      {
        args: { reason: 'no_test_organization' },
      },
    )
  const installed = await db.query(
    `SELECT 1 FROM installations WHERE organization_id = $1 AND oauth_application_id = $2 AND 'full_read_write' = ANY(scopes)`,
    [caller.organization_id, oauth_application_id],
  )
  if (installed.length === 0) await authorizeApplication(work, role, oauth_application_id, scopes)
  await context.quotas.take(db, 'grant.access_token', [caller.organization_id, oauth_application_id])
  const access_token = await issueAccessToken(
    { db, clock: context.clock },
    {
      organization_id: caller.organization_id,
      oauth_application_id,
      user_id: present(caller.user_id, 'the user'),
      scopes,
    },
  )
  return { access_token, token_type: 'bearer', expires_in: 3600, scope: scopes.join(' ') }
}
