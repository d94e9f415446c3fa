import { type Endpoint, resources } from '@gatehouse-access/api'
import { isRecord } from '../../flow/record.ts'
import { queryOf } from '../kit/path-and-query.ts'
import type { LaneName } from '../turnstile/turnstile.ts'
import type { Exchange } from './exchange.ts'

/** Endpoints that open something for a person who is waiting in front of it, or that cannot wait in an emergency. */
const doors: ReadonlySet<string> = new Set([
  'gadget.run_action',
  'gadget.execute_as_member',
  'gadget.mode',
  'emergency.create',
  'emergency.end',
  'site.fire_reset',
])

/** The lane as far as it is known before the body is read. */
export function laneOf({ id, method }: Pick<Endpoint, 'id' | 'method'>): LaneName {
  return doors.has(id) ? 'door' : method === 'DELETE' ? 'revocation' : 'ordinary'
}

/** An edit that sets `is_deleted` is a revocation, like a DELETE. */
export function laneOfExchange({ endpoint, request }: Exchange): LaneName {
  const lane = laneOf(endpoint)
  if (endpoint.verb !== 'edit') return lane
  const { body } = request
  return isRecord(body) && body.is_deleted === true ? 'revocation' : lane
}

const weights: Partial<Record<Endpoint['verb'], number>> = {
  query: 4,
  create: 2,
  edit: 2,
  action: 4,
  command: 2,
}

/** Returns the cost in plain reads. A page costs by its rows. Each embedded kind adds half as much. */
export function weigh({ endpoint, request }: Exchange): number {
  const { limit = 20, expand, q } = queryOf(request)
  const expands = expand === undefined ? 0 : String(expand).split(/[,.]/).length
  const rows = endpoint.verb === 'list' ? Math.min(100, Number(limit) || 0) / 20 : 1
  if (isSeeking(endpoint, request)) return exportWeight
  return (
    Math.ceil((weights[endpoint.verb] ?? Math.max(1, rows)) * (1 + expands / 2)) + (q === undefined ? 0 : 2)
  )
}

/** One page of an export. */
export const exportWeight = 8

/** Of events by the group of who acted or the tag of the door, thousands may be read for one page. */
function isSeeking({ verb, resource }: Endpoint, request: Exchange['request']): boolean {
  if (verb !== 'list' || resource.kind !== 'event') return false
  const asked = queryOf(request)
  return soughtBy.some(name => asked[name] !== undefined)
}

const soughtBy = Object.entries(resources.event.filters ?? {}).flatMap(([name, { through }]) =>
  through ? name : [],
)
