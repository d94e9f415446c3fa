import { createHash, generateKeyPairSync, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider'
import type { Context } from '../services/objects/context.ts'
import { newSecret } from '../vault/vault.ts'
import { adapterOver } from './adapter.ts'
import { showOwnDevicePage } from './device-flow.ts'
import type { EngineOptions } from './engine-options.ts'
import { findAccount } from './find-account.ts'
import { nameGranter } from './introspection.ts'
import { routes } from './provider-routes.ts'
import { isRegistered } from './redirects.ts'
import { scopes } from './scopes.ts'
import { signInFirst } from './sign-in-first.ts'
import { answerTokenRequest } from './token-endpoint.ts'

const day = 24 * 3600

/** Creates the OAuth 2.0 engine, adapted to the API specification. */
export function createProvider(context: Context, { limits, renderError }: EngineOptions): Provider {
  const provider = new Provider(context.config.public_url, { ...configure(context), renderError })
  provider.proxy = true
  fitModels(provider)
  provider.use(answerTokenRequest(context, limits))
  provider.use(nameGranter(context))
  showOwnDevicePage(provider, context)
  if (context.config.hardening === 'strict') provider.use(signInFirst(context))
  provider.on('authorization.success', (ctx, out) => {
    const { scope } = ctx.oidc.entities.AuthorizationCode ?? {}
    if (scope) (out as Record<string, unknown>).scope = scope
  })
  provider.on('server_error', (ctx, error) => {
    ctx.state.failure = error
    context.log.error({ err: error }, 'authorization server')
  })
  return provider
}

function configure(context: Context): Configuration {
  const is_secure = context.config.public_url.startsWith('https:')
  const cookie = {
    httpOnly: true,
    sameSite: 'lax',
    secure: is_secure,
    signed: true,
    overwrite: true,
  } as const
  return {
    adapter: adapterOver(context),
    findAccount: findAccount(context),
    scopes: [...scopes],
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    routes,
    // The engine requires a key, although no token is ever signed.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: {
      keys: context.config.secret_keys.map(deriveCookieKey),
      names: { session: 'gatehouse_oauth', interaction: 'gatehouse_interaction', resume: 'gatehouse_resume' },
      short: cookie,
      long: cookie,
    },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      resourceIndicators: { enabled: false },
      claimsParameter: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
    },
    interactions: { policy: policy(), url: (_ctx, interaction) => `/authorize/${interaction.uid}` },
    pkce: { required: (_ctx, client) => client.requires_pkce === true },
    extraClientMetadata: { properties: ['requires_pkce'] },
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, _client, code) => code.scopes.has('offline'),
    rotateRefreshToken: true,
    // A reused code or refresh token revokes the whole family, a revoked access token only itself.
    revokeGrantPolicy: ctx => !(ctx.oidc.route === 'revocation' && ctx.oidc.entities.AccessToken),
    clientBasedCORS: (_ctx, _origin, client) => client.clientAuthMethod === 'none',
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: (context.config.hardening === 'strict' ? 10 : 15) * 60,
      DeviceCode: 600,
      RefreshToken: 180 * day,
      Grant: 10 * 365 * day,
      Interaction: 3600,
      Session: 3600,
    },
  }
}

function deriveCookieKey(secret: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse oauth cookies', 32)).toString('hex')
}

/** Every authorization asks the user to sign in, to choose an organization and to consent to the scopes. */
function policy(): interactionPolicy.Prompt[] {
  const { Prompt, Check } = interactionPolicy
  return [
    new Prompt(
      { name: 'login', requestable: true },
      new Check('no_session', 'the user has to sign in', ctx => !ctx.oidc.session?.accountId),
    ),
    new Prompt({ name: 'select_account', requestable: true }),
    new Prompt(
      { name: 'consent', requestable: true },
      new Check('not_asked', 'the user has to choose and to allow', ctx => !ctx.oidc.result?.consent),
    ),
  ]
}

type Model = { prototype: { generateTokenId(this: object): string } }

/** Secrets get 256 random bits and a prefix that scanners recognize. Client secrets compare by digest. */
function fitModels(provider: Provider): void {
  const prefixes = {
    AccessToken: 'gha',
    RefreshToken: 'ghr',
    AuthorizationCode: 'ghc',
    DeviceCode: 'ghd',
  } as const
  for (const [kind, prefix] of Object.entries(prefixes)) {
    const { prototype } = provider[kind as keyof typeof prefixes] as unknown as Model
    const { generateTokenId } = prototype
    // Also calls the engine's function, because it sets the token format.
    prototype.generateTokenId = function (this: object) {
      generateTokenId.call(this)
      return newSecret(prefix)
    }
  }
  Object.assign(provider.Client.prototype, {
    compareClientSecret(this: { clientSecret: string }, given: string) {
      const hash = createHash('sha256').update(given).digest()
      return timingSafeEqual(hash, Buffer.from(this.clientSecret, 'hex'))
    },
    redirectUriAllowed(this: { redirectUris: string[] }, given: string) {
      return isRegistered(this.redirectUris, given)
    },
  })
}
