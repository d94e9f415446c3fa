import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

const redirect_uri = 'https://client.example/callback'

/**
 * The OAuth engine alone with its in-memory adapter: the same grants, nothing stored. Sends its URL, then
 * codes on request.
 */
const provider = new Provider('http://localhost', {
  clients: [
    {
      client_id: 'bench',
      client_secret: 'secret',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  scopes: ['full_read_write', 'offline'],
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  expiresWithSession: () => false,
  findAccount: (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
  routes: { token: '/oauth2/token' },
  jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
  enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  ttl: { Grant: 3600, AccessToken: 3600, RefreshToken: 3600, AuthorizationCode: 900 },
  cookies: { keys: ['bench'] },
  features: { devInteractions: { enabled: false } },
})
const client = await provider.Client.find('bench')

async function makeCode(): Promise<string> {
  const grant = new provider.Grant({ accountId: 'account', clientId: 'bench' })
  grant.addOIDCScope('full_read_write offline')
  const grantId = await grant.save()
  const code = new provider.AuthorizationCode({
    client,
    accountId: 'account',
    grantId,
    redirectUri: redirect_uri,
    scope: 'full_read_write offline',
    gty: 'authorization_code',
  } as never)
  return code.save()
}

const server = createServer(provider.callback()).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}` })
})
process.on('message', async ({ count }: { count: number }) => {
  const codes = []
  for (let made = 0; made < count; made++) codes.push(await makeCode())
  process.send?.({ codes })
})
process.on('disconnect', () => process.exit())
