import {
  answeredResource,
  expandNames,
  parseExpand,
  parseListQuery,
  parsePlainQuery,
  readableExpands,
  type Type,
} from '@gatehouse-access/api'
import { pathOf, queryOf } from '../kit/path-and-query.ts'
import { refuseWhenRecovered } from '../kit/recovered.ts'
import { refuseInLane } from '../kit/storage.ts'
import { countAnswer } from './count-answer.ts'
import { type Exchange, isEmpty, targetOf } from './exchange.ts'
import { endTurn } from './turn.ts'
import { laneOfExchange } from './weigh.ts'

/** Refuses writes while the disk is nearly full. Doors and removals of access may use the reserve. */
export function refuseWhenFull(exchange: Exchange): void {
  refuseInLane(exchange.service.context, laneOfExchange(exchange), exchange.request.id)
}

/**
 * Refuses writes while the service is recovered. Simulations go on: a virtual device is hardware, and doors
 * keep working.
 */
export function refuseChanges({ endpoint, service }: Exchange): void {
  if (endpoint.scope !== 'read' && endpoint.id !== simulation) refuseWhenRecovered(service.context)
}

const simulation = 'device.simulate'

export function readPath(exchange: Exchange): void {
  const params = pathOf(exchange.request)
  for (const { name, type } of exchange.endpoint.params) type.parse(params[name] ?? '', name)
  exchange.ids = params
  exchange.target = targetOf(exchange.endpoint, exchange.caller, params)
}

export function readListQuery(exchange: Exchange): void {
  const { caller, endpoint, request } = exchange
  const list = parseListQuery(endpoint.resource, queryOf(request))
  exchange.list = { ...list, expand: readableExpands(caller.scopes, endpoint.resource, list.expand) }
}

export function readQuery(exchange: Exchange): void {
  exchange.expand = {}
  exchange.query = {}
  if (!isEmpty(queryOf(exchange.request))) readGivenQuery(exchange)
}

function readGivenQuery(exchange: Exchange): void {
  const { query: declared } = exchange.endpoint
  const resource = answeredResource(exchange.endpoint)
  const allowed = [...(resource ? ['expand'] : []), ...Object.keys(declared)]
  const given = parsePlainQuery(allowed, queryOf(exchange.request))
  if (resource) {
    const tree = parseExpand(resource, expandNames(given.expand))
    exchange.expand = readableExpands(exchange.caller.scopes, resource, tree)
  }
  for (const [name, { type }] of Object.entries(declared))
    if (given[name] !== undefined) exchange.query[name] = type.parse(fromText(type, given[name]), name)
}

function fromText(type: Type<unknown>, text: string): unknown {
  if (type.column === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text
  return type.column !== 'boolean' ? text : text === 'true' ? true : text === 'false' ? false : text
}

export function send(exchange: Exchange): void {
  const { reply, answer } = exchange
  const { status = 200 } = answer
  endTurn(exchange)
  countAnswer(exchange, status)
  reply.status(status).headers(answer.headers).type('application/json; charset=utf-8').send(answer.text)
}
