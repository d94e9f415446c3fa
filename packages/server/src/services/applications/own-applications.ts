import { invalid, RequestError } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import type { Work } from '../objects/context.ts'
import type { Role } from '../roles/roles.ts'
import { deauthorizeApplication } from './authorizations.ts'
import { tellApplication } from './tell-application.ts'

/** An application installed in an organization and developed by one of its users. */
export interface OwnApplication {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
}

/**
 * Returns the applications through which a user could still reach the organization: a developer holds the
 * tokens and the secret of an application.
 */
export function listOwnApplications(
  db: Database,
  organization_id: string,
  user_id: string,
): Promise<OwnApplication[]> {
  return db.query<OwnApplication>(
    `SELECT a.id, a.name, i.scopes FROM installations i JOIN oauth_applications a ON a.id = i.oauth_application_id
     WHERE i.organization_id = $1 AND a.developer_id = $2 AND NOT a.is_deleted ORDER BY lower(a.name), a.id`,
    [organization_id, user_id],
  )
}

/** Deauthorizes the applications that are not kept, no matter who allowed them. */
export async function endOwnApplications(
  work: Work,
  applications: readonly OwnApplication[],
  keep: readonly string[],
): Promise<OwnApplication[]> {
  for (const [index, id] of keep.entries())
    if (!applications.some(application => application.id === id))
      throw notOwn(`keep_applications.${index}`, id)
  const ended = applications.filter(({ id }) => !keep.includes(id))
  for (const { id } of ended) await deauthorizeApplication(work, id)
  for (const oauth_application_id of keep) await tellApplication(work, 'edit', oauth_application_id)
  return ended
}

function notOwn(field: string, id: string): RequestError {
  return invalid(field, `${field}: ${id} is not one of this user's applications that would end here`)
}

/** Only another owner may keep a user's applications. */
export function requireKeeper(work: Work, own_role: Role, user_id: string, keep: readonly string[]): void {
  if (keep.length === 0 || (own_role === 'owner' && work.caller.user_id !== user_id)) return
  throw new RequestError(
    'permission_denied',
    'only another owner can keep the applications of a user who leaves',
    {
      args: { reason: 'role_too_low', role: 'owner' },
    },
  )
}
