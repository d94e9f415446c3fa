import type { QueryOf } from '../data/collections.ts'
import { resolveSpan } from '../parts/days-filter.ts'

/** Event filters by their API names, and `when`. Used in the address, in saved views and in exports. */
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

export interface SavedView {
  readonly name: string
  readonly filters: EventFilters
}

/** The built-in views. */
export const givenViews: readonly SavedView[] = [
  { name: 'Everything', filters: {} },
  { name: 'Yesterday', filters: { when: 'yesterday' } },
  { name: 'Doors opened', filters: { 'object.type': 'gadget_action', verb: 'use' } },
  { name: 'Denied', filters: { 'object.type': 'access_denial' } },
  { name: 'Secrets revealed', filters: { verb: 'reveal' } },
  { name: 'Deleted', filters: { verb: 'delete' } },
]

function keyFor(organization_id: string): string {
  return `gatehouse-views-${organization_id}`
}

/** Views are stored in this browser, because the API does not store them. */
export function loadViews(organization_id: string): readonly SavedView[] {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(keyFor(organization_id)) ?? '[]')
    return Array.isArray(held) ? (held as SavedView[]) : []
  } catch {
    return []
  }
}

export function storeViews(organization_id: string, views: readonly SavedView[]): void {
  localStorage.setItem(keyFor(organization_id), JSON.stringify(views))
}
