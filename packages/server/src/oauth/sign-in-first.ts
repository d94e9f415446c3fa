import type { Provider } from 'oidc-provider'
import { openCookieJar } from '../http/browser/cookies.ts'
import { findSession } from '../services/accounts/sessions.ts'
import type { Context } from '../services/objects/context.ts'
import { routes } from './provider-routes.ts'

type Middleware = Parameters<Provider['use']>[0]

/**
 * Requires a sign-in before any redirect to an application, including error redirects. Otherwise a link to
 * this service would be an open redirector for anyone who registers an application (RFC 9700, 4.11.2).
 */
export function signInFirst(context: Context): Middleware {
  const cookies = openCookieJar(context.config.public_url)
  return async (ctx, next) => {
    await next()
    const location = ctx.response.get('location')
    if (ctx.path !== routes.authorization || !location || isOwn(location, context)) return
    const token = cookies.read(ctx.req, 'session')
    if (token && (await findSession(context, token))) return
    const request = `${routes.authorization}?${new URLSearchParams(ctx.querystring)}`
    ctx.body = ''
    ctx.status = 303
    ctx.set('location', `/sign-in?return_to=${encodeURIComponent(request)}`)
  }
}

function isOwn(location: string, { config }: Context): boolean {
  return new URL(location, config.public_url).origin === config.public_url
}
