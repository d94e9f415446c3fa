import { type Endpoint, endpoints } from '../../endpoints.ts'
import { scopesOf } from '../../scopes.ts'
import { titleOf } from './names.ts'
import type { Transfer } from './transfers/transfer.ts'
import { listTransfers } from './transfers.ts'

/** An endpoint or a transfer, as lists name it. */
export type Operation = Pick<Transfer, 'id' | 'path' | 'resource' | 'title' | 'about' | 'scopes'> & {
  readonly method: Endpoint['method']
}

/** Lists all that the API can do, endpoints before transfers. */
export function listOperations(): readonly Operation[] {
  return [...endpoints.map(toOperation), ...listTransfers()]
}

export function toOperation(endpoint: Endpoint): Operation {
  const { id, method, path, resource, about } = endpoint
  return { id, method, path, resource, about, title: titleOf(endpoint), scopes: scopesOf(endpoint) }
}
