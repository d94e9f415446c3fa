import type { Query } from '@gatehouse/api'
import type { FastifyRequest } from 'fastify'

/** What a route's path names. */
export type PathNames = Readonly<Record<string, string>>

/** The framework matches a path before it calls anybody, so what its route names is there, as text. */
export function pathOf({ params }: FastifyRequest): PathNames {
  return params as PathNames
}

/** What names it is given, and as what, anybody can choose. */
export function queryOf({ query }: FastifyRequest): Query {
  return query as Query
}

/** What the path of this route calls `name`. */
export function idOf({ ids }: { readonly ids: PathNames }, name: string): string {
  const id = ids[name]
  if (id === undefined) throw new Error(`the path of this route names no ${name}`)
  return id
}
