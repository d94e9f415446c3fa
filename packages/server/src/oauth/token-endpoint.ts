import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Context } from '../context.ts'
import { routes } from './provider-routes.ts'
import { findAnswer, keepAnswer } from './repeats.ts'

type Middleware = Parameters<Provider['use']>[0]

/** Around the engine's token endpoint: `bearer` as the specification spells it, and repeats of a refresh answered alike. */
export function answerTokenRequest(context: Context): Middleware {
  return async (ctx, next) => {
    await next()
    dropEngineSession(ctx)
    if (ctx.path !== routes.token || ctx.method !== 'POST') return
    const { oidc, state } = ctx as KoaContextWithOIDC
    const token = oidc?.params?.refresh_token
    const client_id = oidc?.client?.clientId
    if (typeof token === 'string' && client_id && state.is_repeat)
      await repeat(context, ctx, token, client_id)
    if (ctx.status !== 200) return
    const answer = { ...(ctx.body as object), token_type: 'bearer' }
    if (typeof token === 'string' && !state.is_repeat) await keepAnswer(context, token, answer)
    ctx.body = answer
  }
}

async function repeat(context: Context, ctx: Parameters<Middleware>[0], token: string, client_id: string) {
  const answer = await findAnswer(context, token, client_id)
  if (!answer) return
  ctx.status = 200
  ctx.body = answer
}

/** The engine's session lives for one request: its cookie would only be noise. */
function dropEngineSession(ctx: Parameters<Middleware>[0]): void {
  const cookies = [ctx.response.get('set-cookie')].flat().filter(cookie => cookie)
  const kept = cookies.filter(cookie => !cookie.startsWith('gatehouse_oauth'))
  if (kept.length === cookies.length) return
  if (kept.length === 0) ctx.remove('set-cookie')
  else ctx.set('set-cookie', kept)
}
