import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'
import type { Context } from '../services/objects/context.ts'
import { accessTokensOf } from './access-tokens.ts'
import { artifactsOf } from './artifacts.ts'
import { clientsOf } from './clients.ts'
import { deviceCodesOf } from './device-codes.ts'
import { exchangeablesOf } from './exchangeables.ts'

/** Returns the storage of each of the engine's models. */
export function adapterOver(context: Context): (kind: string) => Adapter {
  return kind => {
    switch (kind) {
      case 'AccessToken':
        return accessTokensOf(context)
      case 'AuthorizationCode':
      case 'RefreshToken':
        return exchangeablesOf(kind, context)
      case 'DeviceCode':
        return deviceCodesOf(context)
      case 'Client':
        return clientsOf(context)
      case 'Grant':
        return grantsOf(context)
      case 'Session':
        return nowhere
      default:
        return artifactsOf(kind, context)
    }
  }
}

/** Uses the grant that was loaded with the code or refresh token, if there is one. */
function grantsOf(context: Context): Adapter {
  const artifacts = artifactsOf('Grant', context)
  const find = async (id: string) => {
    const held = Provider.ctx?.state.grant as AdapterPayload | undefined
    return held?.jti === id ? held : artifacts.find(id)
  }
  return { ...artifacts, find }
}

/** The service has its own user sessions. The engine's last for one request and are never stored. */
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
