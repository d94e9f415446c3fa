import type { Query } from '@gatehouse-access/api'
import type { FastifyRequest } from 'fastify'

/** Path parameters by name. */
export type PathNames = Readonly<Record<string, string>>

/** Fastify matches the path before it calls the handler, so every path parameter is present as a string. */
export function pathOf({ params }: Pick<FastifyRequest, 'params'>): PathNames {
  return params as PathNames
}

/** The caller chooses the names and the types of these values. */
export function queryOf({ query }: Pick<FastifyRequest, 'query'>): Query {
  return query as Query
}

/** Returns the path parameter `name`. Throws if the route has none. */
export function idOf({ ids }: { readonly ids: PathNames }, name: string): string {
  const id = ids[name]
  if (id === undefined) throw new Error(`the path of this route names no ${name}`)
  return id
}
