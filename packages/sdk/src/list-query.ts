import type { Field, ObjectOf, Resource, ResourceKind, Resources } from '@gatehouse-access/api'

type FieldsOf<K extends ResourceKind> = Resources[K] extends Resource<infer F, infer _> ? F : never
type OptionsOf<X> = X extends Field<infer _V, infer O, infer _C> ? O : never
type Having<K extends ResourceKind, Wanted> = {
  [F in keyof FieldsOf<K>]: OptionsOf<FieldsOf<K>[F]> extends Wanted ? F : never
}[keyof FieldsOf<K>] &
  string

type Scalars<K extends ResourceKind> = {
  [F in keyof ObjectOf<Resources[K]> as F extends 'id' | 'is_deleted'
    ? never
    : ObjectOf<Resources[K]>[F] extends string | boolean | null
      ? F
      : never]?: NonNullable<ObjectOf<Resources[K]>[F]>
}

type Comparison = 'gt' | 'ge' | 'lt' | 'le'

/** Filters that are no fields. */
interface Extra {
  readonly member: {
    readonly email?: string
    readonly member_group_id?: string
    readonly site_id?: string
  }
  readonly device: { readonly is_battery_low?: boolean }
  readonly card: {
    readonly member_group_id?: string
    readonly site_id?: string
    readonly tag_id?: string
    readonly is_given?: boolean
    readonly is_suspended?: boolean
  }
  readonly event: { readonly member_group_id?: string; readonly tag_id?: string }
  readonly gadget: { readonly is_online?: boolean; readonly is_open?: boolean }
}

/** Filters by field name. All are ANDed. The service rejects filters that it does not have. */
export type Filters<K extends ResourceKind> = Scalars<K> & {
  readonly [Name in `${Having<K, { filter: 'compare' }>}:${Comparison}`]?: string
} & {
  /** `metadata.<key>`, `object.gadget_id`, `subject.member_id`, `status.online`. Null for events that no job wrote: `object.job_id`. */
  readonly [path: `${string}.${string}`]: string | boolean | null | undefined
} & ('tag_ids' extends keyof FieldsOf<K> ? { readonly tag_ids?: readonly string[] } : unknown) &
  (K extends keyof Extra ? Extra[K] : unknown)

export type SortOf<K extends ResourceKind> = `${Having<K, { sort: true }> | `metadata.${string}`}:${
  | 'asc'
  | 'desc'}`

export type ListQuery<K extends ResourceKind> = Filters<K> & {
  readonly limit?: number
  readonly sort?: SortOf<K>
  readonly cursor?: string
  readonly q?: string
  readonly expand?: readonly string[]
  readonly is_deleted?: boolean | 'any'
  /** True to get `count` too. Not for deliveries of webhooks. */
  readonly with_count?: boolean
  readonly signal?: AbortSignal
}

/** Returns the query string. Lists of names and ids are separated by commas. */
export function encodeQuery(query: { readonly [name: string]: unknown }): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const parameters = given.map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : String(value),
  ])
  return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`
}
