import { RequestError } from '@gatehouse-access/api'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { isUnavailable } from '../database/away.ts'
import type { Limits } from '../http/kit/limits.ts'
import type { Context } from '../services/objects/context.ts'
import { parseAccount } from './account.ts'
import { routes } from './provider-routes.ts'
import { findAnswer } from './repeats.ts'
import { openTokenStore, type StoreWrites, type TokenWrites } from './token-writes.ts'

type Middleware = Parameters<Provider['use']>[0]
type Koa = KoaContextWithOIDC

/**
 * Wraps the engine's token endpoint: spells `bearer` as the specification does, stores all issued tokens
 * before responding, and answers a repeated refresh like the first.
 */
export function answerTokenRequest(context: Context, limits: Limits | undefined): Middleware {
  const store = openTokenStore(context)
  return async (given, next) => {
    const ctx = given as Koa
    const is_token = ctx.path === routes.token && ctx.method === 'POST'
    if (is_token) ctx.state.writes = {}
    await next()
    dropEngineSession(ctx)
    if (isUnavailable(ctx.state.failure)) askToRetry(ctx)
    if (!is_token) return
    if (ctx.status === 200) await give(context, store, limits, ctx).catch(error => fail(context, ctx, error))
    if (ctx.state.is_repeat) await repeat(context, ctx)
  }
}

async function give(
  { config, db, quotas }: Context,
  store: StoreWrites,
  limits: Limits | undefined,
  ctx: Koa,
): Promise<void> {
  const writes = ctx.state.writes as TokenWrites
  const { organization_id } = parseAccount(writes.access?.payload.accountId) ?? {}
  if (organization_id) {
    limits?.take('given_tokens', organization_id)
    await quotas.take(db, 'grant.access_token', [organization_id, writes.access?.payload.clientId ?? ''])
  }
  const answer = { ...(ctx.body as object), token_type: 'bearer' }
  const outcome = await store(writes, answer)
  ctx.body = answer
  if (outcome === 'stored') return
  ctx.status = 400
  ctx.body = { error: 'invalid_grant', error_description: 'grant request is invalid' }
  if (outcome === 'used_before') await settleRace(ctx, config.hardening === 'strict')
}

/** Nothing was issued or consumed, so the client can retry. */
function fail({ log }: Context, ctx: Koa, error: unknown): void {
  if (error instanceof RequestError) {
    refuse(ctx, error)
    return
  }
  log.error({ err: error }, 'tokens cannot be stored')
  if (isUnavailable(error)) askToRetry(ctx)
  else ctx.status = 500
  ctx.body = { error: 'server_error', error_description: 'nothing was given; ask again' }
}

function refuse(ctx: Koa, { status, headers, message }: RequestError): void {
  ctx.status = status
  ctx.set(headers)
  const error = status === 400 ? 'invalid_request' : 'temporarily_unavailable'
  ctx.body = { error, error_description: message }
}

function askToRetry(ctx: Koa): void {
  ctx.status = 503
  ctx.set('retry-after', '1')
}

/**
 * Another request used the same code or token first. A reused code counts as stolen, so its grant is revoked.
 * A refresh is a mere repeat, except with strict hardening.
 */
async function settleRace({ oidc, state }: Koa, is_strict: boolean): Promise<void> {
  const { AuthorizationCode, DeviceCode, RefreshToken } = oidc.entities
  const grant_id =
    AuthorizationCode?.grantId ?? DeviceCode?.grantId ?? (is_strict ? RefreshToken?.grantId : undefined)
  if (!grant_id) {
    state.is_repeat = true
    return
  }
  await oidc.provider.AccessToken.revokeByGrantId(grant_id)
  await oidc.provider.RefreshToken.revokeByGrantId(grant_id)
}

async function repeat(context: Context, ctx: Koa): Promise<void> {
  const token = ctx.oidc?.params?.refresh_token
  const client_id = ctx.oidc?.client?.clientId
  if (typeof token !== 'string' || !client_id) return
  const answer = await findAnswer(context, token, client_id)
  if (!answer) return
  ctx.status = 200
  ctx.body = answer
}

/** Removes the engine's session cookie: the session lasts for one request only. */
function dropEngineSession(ctx: Koa): void {
  const cookies = [ctx.response.get('set-cookie')].flat().filter(cookie => cookie)
  const kept = cookies.filter(cookie => !cookie.startsWith('gatehouse_oauth'))
  if (kept.length === cookies.length) return
  if (kept.length === 0) ctx.remove('set-cookie')
  else ctx.set('set-cookie', kept)
}
