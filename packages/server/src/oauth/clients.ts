import { isId } from '@gatehouse-access/core'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { commandApplicationId, deviceGrantType } from '../services/applications/command-application.ts'
import type { Context } from '../services/objects/context.ts'
import { markOmitted } from './redirect-uri.ts'

interface ApplicationRow {
  readonly id: string
  readonly name: string
  readonly secret_hash: Uint8Array | null
  readonly redirect_uris: string[]
  readonly is_public: boolean
  readonly requires_pkce: boolean
}

const freshness = 1000
const capacity = 1000

/** Maps applications to the engine's clients. Cached for at most a second, since every step needs them. */
export function clientsOf({
  db,
  revocations,
  config,
  timers,
}: Pick<Context, 'db' | 'revocations' | 'config' | 'timers'>): Adapter {
  const known = new Map<string, { client: AdapterPayload | undefined; until: number }>()
  revocations.onRevoked(() => known.clear())
  const load = async (id: string): Promise<AdapterPayload | undefined> => {
    const [row] = await db.query<ApplicationRow>(
      'SELECT id, name, secret_hash, redirect_uris, is_public, requires_pkce FROM oauth_applications WHERE id = $1 AND NOT is_deleted',
      [id],
    )
    const client = row && describe(row, config.hardening === 'strict')
    if (known.size >= capacity) known.clear()
    known.set(id, { client, until: timers.elapsed() + freshness })
    return client
  }
  const none = async () => undefined
  return {
    async find(id) {
      if (!isId('app', id)) return undefined
      markOmitted()
      const held = known.get(id)
      return held && held.until > timers.elapsed() ? held.client : load(id)
    },
    upsert: none,
    findByUid: none,
    findByUserCode: none,
    consume: none,
    destroy: none,
    revokeByGrantId: none,
  }
}

/** An application without redirect URIs or secret (only developer tokens) cannot use the OAuth flow. */
function describe(stored: ApplicationRow, is_strict: boolean): AdapterPayload | undefined {
  const { id, name, secret_hash, redirect_uris, is_public } = stored
  if (id === commandApplicationId) return commandApplication(name)
  if (redirect_uris.length === 0 || (!is_public && !secret_hash)) return undefined
  return {
    client_id: id,
    client_name: name,
    requires_pkce: is_strict || is_public || stored.requires_pkce,
    redirect_uris,
    response_types: ['code'],
    response_modes: ['query'],
    grant_types: ['authorization_code', 'refresh_token'],
    application_type: redirect_uris.every(uri => /^https?:/.test(uri)) ? 'web' : 'native',
    token_endpoint_auth_method: is_public ? 'none' : 'client_secret_basic',
    ...(secret_hash && !is_public && { client_secret: Buffer.from(secret_hash).toString('hex') }),
  }
}

/**
 * Of all applications, only the command can ask for a code that people type: such a code can be passed on to
 * somebody who thinks that it is their own, and with a redirect URI nobody needs one.
 */
function commandApplication(name: string): AdapterPayload {
  return {
    client_id: commandApplicationId,
    client_name: name,
    redirect_uris: [],
    response_types: [],
    grant_types: [deviceGrantType, 'refresh_token'],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
  }
}
