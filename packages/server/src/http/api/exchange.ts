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

/** State shared by all requests. */
export interface Service {
  readonly context: Context
  readonly tokens: TokenCache
  readonly sessions: BrowserSessions
  /** Undefined if limits are off. */
  readonly limits: Limits | undefined
  readonly turnstile: Turnstile
}

/** A request in the pipeline. The comment on each field names the step that sets it. */
export interface Exchange {
  readonly service: Service
  readonly endpoint: Endpoint
  readonly request: FastifyRequest
  readonly reply: FastifyReply
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
  request: FastifyRequest,
  reply: FastifyReply,
): Exchange {
  const unset = undefined as never
  return {
    service,
    endpoint,
    request,
    reply,
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
    },
  }
}

/** Returns the id of the object in the path, or the organization's id for `/organization`. */
export function ownId({ endpoint, caller, ids }: Exchange): string {
  return endpoint.resource.singleton ? caller.organization_id : (ids[`${endpoint.resource.kind}_id`] ?? '')
}
