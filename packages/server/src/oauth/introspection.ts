import type { Provider } from 'oidc-provider'
import type { Context } from '../services/objects/context.ts'
import { parseAccount } from './account.ts'
import { routes } from './provider-routes.ts'

type Middleware = Parameters<Provider['use']>[0]

/** Adds `username` (RFC 7662): the email address of the user who authorized the application. */
export function nameGranter({ db }: Pick<Context, 'db'>): Middleware {
  return async (ctx, next) => {
    await next()
    if (ctx.path !== routes.introspection || ctx.status !== 200) return
    const answer = ctx.body as { active: boolean; sub?: string; username?: string }
    const account = answer.active ? parseAccount(answer.sub) : undefined
    if (!account) return
    const [user] = await db.query<{ email: string }>(
      `SELECT u.email FROM users u JOIN organization_users m ON m.user_id = u.id
       WHERE u.id = $1 AND m.organization_id = $2 AND u.deleted_at IS NULL`,
      [account.user_id, account.organization_id],
    )
    if (user) answer.username = user.email
  }
}
