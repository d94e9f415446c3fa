import type { Resources } from '@gatehouse-access/api'
import type { Client, Page } from '@gatehouse-access/sdk'

type Listed<R> = R extends { readonly parent: string }
  ? never
  : R extends { readonly plural: infer Name; readonly verbs: infer Verbs extends readonly string[] }
    ? 'list' extends Verbs[number]
      ? Name
      : never
    : never

/** The top-level collections of the client, which have no parent. */
export type Plural = Listed<Resources[keyof Resources]> & keyof Client

export type ItemOf<P extends Plural> = Awaited<ReturnType<Client[P]['get']>>
export type QueryOf<P extends Plural> = NonNullable<Parameters<Client[P]['list']>[0]>

interface Generic {
  list(query: object): Promise<Page<never>>
  get(id: string, options?: object): Promise<never>
}

/** Returns the same collection without its exact types, because the hooks are generic over it. */
export function collection(client: Client, plural: Plural): Generic {
  return client[plural] as unknown as Generic
}

/**
 * Every key starts with the organization and the plural, so that a change invalidates exactly the affected
 * lists.
 */
export function keyOf(organization_id: string, plural: string, ...rest: unknown[]): readonly unknown[] {
  return [organization_id, plural, ...rest]
}
