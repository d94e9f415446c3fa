import type { Configuration } from 'oidc-provider'
import type { Context } from '../services/objects/context.ts'
import { parseAccount } from './account.ts'

/**
 * An account is valid while its organization exists and has the application installed. If the user has left,
 * the owners have taken over the installation, and the account remains valid.
 */
export function findAccount({ db }: Pick<Context, 'db'>): NonNullable<Configuration['findAccount']> {
  return async (ctx, account_id) => {
    const account = parseAccount(account_id)
    if (!account) return undefined
    const answer = { accountId: account_id, claims: async () => ({ sub: account_id }) }
    if (ctx.state.is_installed !== undefined) return ctx.state.is_installed ? answer : undefined
    const rows = await db.query(
      `SELECT 1 FROM installations i JOIN organizations o ON o.id = i.organization_id
       WHERE i.organization_id = $1 AND i.oauth_application_id = $2 AND NOT o.is_deleted`,
      [account.organization_id, ctx.oidc.client?.clientId ?? ''],
    )
    return rows.length > 0 ? answer : undefined
  }
}
