import type { Client, Page } from '@gatehouse/sdk'

/** The collections of the client that have no parent. */
export type Plural =
  | 'sites'
  | 'products'
  | 'devices'
  | 'gadgets'
  | 'gadget_triggers'
  | 'members'
  | 'member_groups'
  | 'schedules'
  | 'cards'
  | 'tags'
  | 'events'

export type ItemOf<P extends Plural> = Awaited<ReturnType<Client[P]['get']>>
export type QueryOf<P extends Plural> = NonNullable<Parameters<Client[P]['list']>[0]>

interface Generic {
  list(query: object): Promise<Page<never>>
  get(id: string, options?: object): Promise<never>
}

/** The same collection without its exact types: hooks are generic over it. */
export function collection(client: Client, plural: Plural): Generic {
  return client[plural] as unknown as Generic
}

/** Every key begins with the organization and the plural, so that a change makes exactly its lists stale. */
export function keyOf(organization_id: string, plural: string, ...rest: unknown[]): readonly unknown[] {
  return [organization_id, plural, ...rest]
}
