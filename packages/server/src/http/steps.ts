import {
  expandNames,
  invalid,
  parseExpand,
  parseListQuery,
  parsePlainQuery,
  prefixOf,
  type Query,
  show,
} from '@gatehouse/api'
import { isId } from '@gatehouse/core'
import { storageFull } from './errors.ts'
import type { Exchange } from './exchange.ts'

/** Refuses writes while the disk is nearly full, before PostgreSQL itself runs dry. */
export function refuseWhenFull({ service, request }: Exchange): void {
  if (service.context.disk.is_full()) throw storageFull(undefined, request.id)
}

export function readPath(exchange: Exchange): void {
  const params = exchange.request.params as Record<string, string>
  for (const { name, kind } of exchange.endpoint.params) {
    const id = params[name] ?? ''
    const prefix = prefixOf(kind)
    const fits = prefix === undefined ? /^[a-z0-9-]{1,64}$/.test(id) : isId(prefix, id)
    if (!fits)
      throw invalid(
        name,
        `${name} must be a ${kind.replaceAll('_', ' ')} id${prefix ? ` (${prefix}_…)` : ''}, not ${show(id)}`,
      )
  }
  exchange.ids = params
}

export function readListQuery(exchange: Exchange): void {
  exchange.list = parseListQuery(exchange.endpoint.resource, exchange.request.query as Query)
}

export function readQuery(exchange: Exchange): void {
  const { resource, query: declared } = exchange.endpoint
  const given = parsePlainQuery(['expand', ...Object.keys(declared)], exchange.request.query as Query)
  exchange.expand = parseExpand(resource, expandNames(given.expand))
  exchange.query = {}
  for (const name in declared)
    if (given[name] !== undefined)
      exchange.query[name] = declared[name]?.type.parse(fromText(given[name]), name)
}

function fromText(text: string): unknown {
  return text === 'true' ? true : text === 'false' ? false : text
}

export function send({ reply, answer }: Exchange): void {
  reply.headers(answer.headers).type('application/json; charset=utf-8').send(answer.text)
}
