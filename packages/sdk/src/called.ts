import { type Endpoint, type Resource, resourceOf } from '@gatehouse-access/api'

/** What a client needs to know of an endpoint. */
export interface Called {
  readonly id: string
  /** Where the client has its method: `member_pins`, `reveal`. */
  readonly group: string
  readonly name: string
  readonly is_list: boolean
  readonly method: Endpoint['method']
  readonly path: string
  /** The ids in the path, in order. */
  readonly params: readonly string[]
  /** The fields of the body, `any` for that of an object. Undefined without a body. */
  readonly body?: 'any' | readonly string[] | undefined
}

export function calledOf(endpoint: Endpoint): Called {
  const { id, verb, method, path, params } = endpoint
  return {
    id,
    ...placeOf(endpoint),
    is_list: verb === 'list',
    method,
    path,
    params: params.map(({ name }) => name),
    body: bodyOf(endpoint),
  }
}

/** Maps `member_pin.reveal` to `client.member_pins.reveal`. */
export function placeOf({ id }: Endpoint): { group: string; name: string } {
  const [kind, name] = id.split('.') as [string, string]
  const resource = resourceOf(kind) as Resource | undefined
  if (kind === 'bulk') return { group: kind, name }
  return { group: resource?.singleton ? kind : (resource?.plural ?? `${kind}s`), name }
}

function bodyOf({ body }: Endpoint): Called['body'] {
  if (typeof body !== 'object') return body && 'any'
  const names = Object.keys(body)
  return names.length > 0 ? names : undefined
}
