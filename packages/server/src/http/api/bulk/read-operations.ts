import {
  type BulkOperation,
  bulkParts,
  type Endpoint,
  parseShape,
  type Query,
  RequestError,
  resources,
} from '@gatehouse-access/api'
import type { PathNames } from '../../kit/path-and-query.ts'
import { matchPath } from './match-path.ts'
import { type References, referencesIn } from './references.ts'

/** An operation of a bulk whose form is valid. Path and body may still hold references. */
export interface Operation {
  readonly index: number
  /** Its id, else its index. */
  readonly name: string
  readonly given: BulkOperation
  readonly endpoint: Endpoint
  readonly params: PathNames
  readonly query: Query
  readonly references: References
  /** Whether later operations refer to its result. */
  is_referred: boolean
}

export interface Bulk {
  readonly operations: readonly Operation[]
  /** Those with an id, by it. */
  readonly named: ReadonlyMap<string, Operation>
  readonly atomic: boolean
}

/** Reads the body. Everything that is wrong with its form is refused before anything is done. */
export function readOperations(body: unknown): Bulk {
  const { operations: given, atomic = false } = parseShape(bulkParts, body, '')
  const named = new Map<string, Operation>()
  const operations = given.map((one, index) => {
    const operation = readOperation(one, index, atomic)
    noteReferences(operation, named)
    if (one.id === undefined) return operation
    if (named.has(one.id)) throw refusal(operation, 'id', `id ${one.id} is the id of an earlier operation`)
    named.set(one.id, operation)
    return operation
  })
  return { operations, named, atomic }
}

function readOperation(given: BulkOperation, index: number, atomic: boolean): Operation {
  const { id, method, path, body, if_match } = given
  const about = { index, name: id ?? String(index) }
  const [place = '', query = ''] = splitOnce(path, '?')
  const found = matchPath(method, place)
  if (!found || endless.test(place)) throw refusal(about, 'path', describeUnknown(method, place))
  const { endpoint } = found
  const reason = reasonAgainst(endpoint, atomic)
  if (reason) throw refusal(about, 'path', `${method} ${place} ${reason}`)
  if (body !== undefined && method !== 'POST' && method !== 'PATCH')
    throw refusal(about, 'body', `a ${method} has no body`)
  if (if_match !== undefined && endpoint.verb !== 'edit' && endpoint.verb !== 'delete')
    throw refusal(about, 'if_match', 'if_match is only for PATCH and DELETE of an object')
  const params = decodeParams(about, found.params)
  const references = referencesIn([params, body])
  return { ...about, given, endpoint, params, query: readQuery(about, query), references, is_referred: false }
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** Streams and exports are no declared endpoints, and look like the path of an object. */
const endless = /\/(stream|export)$/

function describeUnknown(method: string, place: string): string {
  const hint = place.startsWith('/v2/') ? '; paths of operations begin after /v2' : ''
  return `there is no ${method} ${place} of /v2 that can be an operation${hint}`
}

/** A transaction cannot take back what has left the service, and decisions read only what is committed. */
function reasonAgainst({ bulk, verb, resource }: Endpoint, atomic: boolean): string | undefined {
  if (bulk === 'never') return 'cannot be an operation of a bulk: send it as a request of its own'
  const isOutside = bulk === 'not_atomic' || verb === 'query' || resource === resources.event
  return atomic && isOutside ? 'cannot be an operation of an atomic bulk' : undefined
}

type About = Pick<Operation, 'index' | 'name'>

function decodeParams(about: About, params: PathNames): PathNames {
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, decode(about, text)]))
}

function decode(about: About, text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw refusal(about, 'path', 'the path is not properly percent-encoded')
  }
}

/** A repeated parameter becomes a list, which is refused where parameters are read. */
function readQuery(about: About, text: string): Query {
  decode(about, text)
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text))
    query[name] = name in query ? [query[name] ?? '', value].flat() : value
  return query
}

function noteReferences(operation: Operation, named: ReadonlyMap<string, Operation>): void {
  for (const name of operation.references.names) {
    const earlier = named.get(name)
    if (!earlier)
      throw refusal(
        operation,
        'body',
        `$${name}.id refers to no earlier operation; write $$${name}.id for the text`,
      )
    earlier.is_referred = true
  }
}

export function refusal({ index, name }: About, field: string, message: string): RequestError {
  const args = { field: `operations.${index}.${field}`, operation: name }
  return new RequestError('invalid_request', `operation ${name}: ${message}`, { args })
}
