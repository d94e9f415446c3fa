import type { Database } from '../../database/db.ts'

/** A terminal that waits for a user to allow or deny it. */
export interface DeviceLogin {
  readonly user_code: string
  readonly oauth_application_id: string
  readonly scopes: readonly string[]
  readonly ip_address: string
}

const isWaiting = `kind = 'DeviceCode' AND payload ->> 'userCode' = $1 AND expires_at > $2 AND consumed_at IS NULL
  AND NOT payload ?| ARRAY['accountId', 'error']`

export async function findDeviceLogin(
  db: Database,
  user_code: string,
  now: string,
): Promise<DeviceLogin | undefined> {
  const [row] = await db.query<{ oauth_application_id: string; scope: string | null; ip: string | null }>(
    `SELECT payload ->> 'clientId' AS oauth_application_id, payload #>> '{params,scope}' AS scope,
       payload #>> '{deviceInfo,ip}' AS ip FROM oauth_artifacts WHERE ${isWaiting}`,
    [user_code, now],
  )
  if (!row) return undefined
  const scopes = row.scope?.split(' ') ?? []
  return { user_code, oauth_application_id: row.oauth_application_id, scopes, ip_address: row.ip ?? '' }
}

export interface Decision {
  readonly user_id: string
  readonly organization_id: string | null
  readonly grant_id: string | null
  /** What the engine reads when the terminal asks next. */
  readonly payload: object
}

/** Returns false if somebody decided before, or the code has expired. The first decision counts. */
export async function decideDeviceLogin(
  db: Database,
  user_code: string,
  now: string,
  { user_id, organization_id, grant_id, payload }: Decision,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE oauth_artifacts SET payload = payload || $3::jsonb, user_id = $4, organization_id = $5, grant_id = $6
     WHERE ${isWaiting} RETURNING 1`,
    [user_code, now, payload, user_id, organization_id, grant_id],
  )
  return rows.length > 0
}
