import type { Endpoint, ExpandTree, ListQuery } from '@gatehouse-access/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/db.ts'
import type { TokenCache } from '../../services/applications/token-cache.ts'
import type { Context, Work } from '../../services/objects/context.ts'
import type { Target } from '../../services/objects/objects.ts'
import type { Caller } from '../../store/caller.ts'
import type { BrowserSessions } from '../browser/sessions.ts'
import type { Limits } from '../kit/limits.ts'
import type { PathNames } from '../kit/path-and-query.ts'
import type { Turn, Turnstile } from '../turnstile/turnstile.ts'

/** Runs steps of the pipeline. */
export type Run = (exchange: Exchange) => void | Promise<void>

/** State shared by all requests. */
export interface Service {
  readonly context: Context
  readonly tokens: TokenCache
  readonly sessions: BrowserSessions
  /** Undefined if limits are off. */
  readonly limits: Limits | undefined
  readonly turnstile: Turnstile
  /** The steps of an endpoint as an operation of a bulk: those that admit it, and those that perform it. */
  readonly operationOf: (endpoint: Endpoint) => { readonly admit: Run; readonly perform: Run }
}

/** What the pipeline reads of a request. An operation of a bulk has these without a request of its own. */
export type Asked = Pick<
  FastifyRequest,
  'id' | 'method' | 'url' | 'headers' | 'params' | 'query' | 'body' | 'ip' | 'raw' | 'log'
>

/** A request in the pipeline. The comment on each field names the step that sets it. */
export interface Exchange {
  readonly service: Service
  readonly endpoint: Endpoint
  readonly request: Asked
  readonly reply: FastifyReply
  /** Where it is performed: the pool, or the transaction of a bulk. */
  readonly db: Database
  /** When the request arrived, by `performance.now()`. */
  readonly begun: number
  /** authenticate */
  caller: Caller
  /** readPath: the path ids by parameter name, and the objects that the request can reach. */
  ids: PathNames
  target: Target
  /** readListQuery */
  list: ListQuery
  /** readQuery: what to embed, and the endpoint's own parameters. */
  expand: ExpandTree
  query: Record<string, unknown>
  /** takeTurn, until the answer is sent. */
  turn: Turn | undefined
  /** readPage, read, change, command or answerQuery */
  answer: Answer
  /** Set by a service while it performs the request. */
  has_looked_up_pin: boolean
  /** Counts that a service looks up whether a PIN is taken, in place of the pipeline. */
  readonly onPinLookup: (() => Promise<void>) | undefined
}

export interface Answer {
  /** Defaults to 200. */
  readonly status?: number
  readonly text: string
  readonly headers: Record<string, string>
}

/** Creates the exchange with all fields present, so that later assignments keep the object's shape. */
export function openExchange(
  service: Service,
  endpoint: Endpoint,
  request: Asked,
  reply: FastifyReply,
  { db = service.context.db, onPinLookup }: Partial<Pick<Exchange, 'db' | 'onPinLookup'>> = {},
): Exchange {
  const unset = undefined as never
  return {
    service,
    endpoint,
    request,
    reply,
    db,
    begun: performance.now(),
    caller: unset,
    ids: unset,
    target: unset,
    list: unset,
    expand: unset,
    query: unset,
    turn: undefined,
    answer: unset,
    has_looked_up_pin: false,
    onPinLookup,
  }
}

/** Checks without allocating, since most requests have no query and embed nothing. */
export function isEmpty(values: object): boolean {
  for (const _name in values) return false
  return true
}

/** Reads the clock on first use, since not every change needs the time. */
export function workOf(exchange: Exchange, db: Database): Work {
  const { service, caller } = exchange
  const { context } = service
  let now: string | undefined
  return {
    context,
    db,
    caller,
    onPinLookup() {
      exchange.has_looked_up_pin = true
      return exchange.onPinLookup?.()
    },
    get now() {
      now ??= context.clock.now()
      return now
    },
  }
}

/** Limits the request to objects of the caller's organization and application and of the path's parent. */
export function targetOf({ resource }: Endpoint, caller: Caller, ids: PathNames): Target {
  const field = `${resource.parent}_id`
  const id = ids[field]
  return {
    resource,
    reach: {
      organization_id: caller.organization_id,
      oauth_application_id: caller.oauth_application_id,
      parent: resource.parent && id !== undefined ? { field, id } : undefined,
      bounds: caller.bounds,
    },
  }
}

/** Returns the id of the object in the path, or the organization's id for `/organization`. */
export function ownId({ endpoint, caller, ids }: Exchange): string {
  return endpoint.resource.singleton ? caller.organization_id : (ids[`${endpoint.resource.kind}_id`] ?? '')
}
