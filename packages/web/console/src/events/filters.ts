import type { QueryOf } from '../data/collections.ts'
import { resolveSpan } from '../lists/days-filter.ts'
import type { View } from '../lists/views.tsx'

/** Event filters by their API names, and `when`. Used in the address and in exports. */
export type EventFilters = Readonly<Record<string, string>>

export function readFilters(params: URLSearchParams): EventFilters {
  return Object.fromEntries([...params].filter(([, value]) => value !== ''))
}

export function toQuery(filters: EventFilters): QueryOf<'events'> {
  return resolveSpan(filters, 'created_at') as QueryOf<'events'>
}

export function toParams(filters: EventFilters): string {
  return new URLSearchParams(filters).toString()
}

/** The built-in views. */
export const givenViews: readonly View[] = [
  { name: 'Everything', filters: {} },
  { name: 'Yesterday', filters: { when: 'yesterday' } },
  { name: 'Doors opened', filters: { 'object.type': 'gadget_action', verb: 'use' } },
  { name: 'Denied', filters: { 'object.type': 'access_denial' } },
  { name: 'Secrets revealed', filters: { verb: 'reveal' } },
  { name: 'Deleted', filters: { verb: 'delete' } },
]
