import type { Endpoint, ExpandTree, ListQuery } from '@gatehouse/api'
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

/** What all requests share. */
export interface Service {
  readonly context: Context
  readonly tokens: TokenCache
  readonly sessions: BrowserSessions
  /** Undefined: no limit. */
  readonly limits: Limits | undefined
  readonly turnstile: Turnstile
}

/** One request on its way through the pipeline. Each field is set by the one step named beside it. */
export interface Exchange {
  readonly service: Service
  readonly endpoint: Endpoint
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** When the request came, by the process's own clock. */
  readonly begun: number
  /** authenticate */
  caller: Caller
  /** readPath: the ids of the path by parameter name, and the objects that this request can reach. */
  ids: PathNames
  target: Target
  /** readQuery, for lists. */
  list: ListQuery
  /** readQuery, for everything else: what to embed, and the endpoint's own parameters. */
  expand: ExpandTree
  query: Record<string, unknown>
  /** takeTurn, until the answer is sent. */
  turn: Turn | undefined
  /** perform */
  answer: Answer
  /** A service, while it performs. */
  has_looked_up_pin: boolean
}

export interface Answer {
  /** 200 when left out. */
  readonly status?: number
  readonly text: string
  readonly headers: Record<string, string>
}

/** A request at its start: every field has its place, so that setting one later moves nothing. */
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

/** Most requests have no query and embed nothing. */
export function isEmpty(values: object): boolean {
  for (const _name in values) return false
  return true
}

/** Its time is read when first asked for: not every change does. */
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

/** The objects of the organization, of the application and of the parent that the path names. */
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

/** The id of the object that the path names; the organization itself for `/organization`. */
export function ownId({ endpoint, caller, ids }: Exchange): string {
  return endpoint.resource.singleton ? caller.organization_id : (ids[`${endpoint.resource.kind}_id`] ?? '')
}
