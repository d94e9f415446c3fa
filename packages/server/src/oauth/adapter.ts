import type { Adapter } from 'oidc-provider'
import type { Context } from '../context.ts'
import { accessTokensOf } from './access-tokens.ts'
import { artifactsOf } from './artifacts.ts'
import { clientsOf } from './clients.ts'

/** Where each of the engine's models lives. */
export function adapterOver(context: Context): (kind: string) => Adapter {
  return kind => {
    if (kind === 'AccessToken') return accessTokensOf(context)
    if (kind === 'Client') return clientsOf(context)
    return kind === 'Session' ? nowhere : artifactsOf(kind, context)
  }
}

/** Users have sessions of our own; the engine's last for one request and are never stored. */
const nothing = async () => undefined
const nowhere: Adapter = {
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  upsert: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
}
