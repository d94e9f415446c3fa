import { t } from '../language/t.ts'
import { resolveSpan } from '../lists/days-filter.ts'
import type { View } from '../lists/views.tsx'

export const cardSorts = [
  ['created_at:desc', t('Newest first')],
  ['created_at:asc', t('Oldest first')],
  ['name:asc', t('By name')],
  ['name:desc', t('By name, from Z')],
  ['printed_code:asc', t('By printed code')],
  ['printed_code:desc', t('By printed code, from Z')],
  ['uid:asc', t('By UID')],
  ['uid:desc', t('By UID, from Z')],
] as const

/** The built-in views. */
export const cardViews: readonly View[] = [
  { name: t('All cards'), filters: {} },
  { name: t('Added today'), filters: { when: 'today' } },
  { name: t('Deleted'), filters: { show: 'deleted' } },
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
