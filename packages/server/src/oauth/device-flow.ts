import type { Provider } from 'oidc-provider'
import type { Context } from '../services/objects/context.ts'
import { pollInterval } from './device-codes.ts'
import { routes } from './provider-routes.ts'

type Middleware = Parameters<Provider['use']>[0]

/** Our page for user codes takes the place of the engine's. */
export function showOwnDevicePage(provider: Provider, { config }: Pick<Context, 'config'>): void {
  provider.on('device_authorization.success', (_ctx, answer) => {
    const page = `${config.public_url}/device`
    Object.assign(answer, {
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${answer.user_code}`,
      interval: pollInterval,
    })
  })
  provider.use(leaveEnginePage)
}

const leaveEnginePage: Middleware = async (ctx, next) => {
  const is_page = ctx.path === routes.code_verification || ctx.path.startsWith(`${routes.code_verification}/`)
  if (!is_page) return next()
  ctx.status = 303
  ctx.set('location', '/device')
}
