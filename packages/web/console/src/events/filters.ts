import type { QueryOf } from '../data/collections.ts'
import { t } from '../language/t.ts'
import { resolveSpan } from '../lists/days-filter.ts'
import type { View } from '../lists/views.tsx'

/** Event filters by their API names, `when` and `sort`. Used in the address and in exports. */
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

export const eventSorts = [
  ['created_at:desc', t('Newest first')],
  ['created_at:asc', t('Oldest first')],
] as const

/** The built-in views. */
export const givenViews: readonly View[] = [
  { name: t('Everything'), filters: {} },
  { name: t('Yesterday'), filters: { when: 'yesterday' } },
  { name: t('Doors opened'), filters: { 'object.type': 'gadget_action', verb: 'use' } },
  { name: t('Denied', 'events'), filters: { 'object.type': 'access_denial' } },
  { name: t('Secrets revealed'), filters: { verb: 'reveal' } },
  { name: t('Deleted', 'view'), filters: { verb: 'delete' } },
]
