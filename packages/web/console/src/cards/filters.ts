import { resolveSpan } from '../lists/days-filter.ts'
import type { View } from '../lists/views.tsx'

export const cardSorts = [
  ['created_at:desc', 'Newest first'],
  ['created_at:asc', 'Oldest first'],
  ['name:asc', 'By name'],
  ['name:desc', 'By name, from Z'],
  ['printed_code:asc', 'By printed code'],
  ['printed_code:desc', 'By printed code, from Z'],
  ['uid:asc', 'By UID'],
  ['uid:desc', 'By UID, from Z'],
] as const

/** The built-in views. */
export const cardViews: readonly View[] = [
  { name: 'All cards', filters: {} },
  { name: 'Added today', filters: { when: 'today' } },
  { name: 'Deleted', filters: { show: 'deleted' } },
]

/** Returns what the address asks for as a query. */
export function toQuery(params: URLSearchParams, now: number): Record<string, string> {
  const when = params.get('when')
  const known = cardSorts.find(([value]) => value === params.get('sort'))?.[0]
  return {
    ...resolveSpan(when ? { when } : {}, 'created_at', now),
    ...(params.get('show') === 'deleted' && { is_deleted: 'true' }),
    sort: known ?? cardSorts[0][0],
  }
}
