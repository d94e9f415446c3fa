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

/** What the list of cards shows, in the address. */
export const cardShows = {
  all: t('In use and free'),
  given: t('Given to somebody'),
  free: t('Free'),
  suspended: t('Suspended cards'),
  lost: t('Lost cards'),
  deleted: t('Deleted cards'),
} as const

const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  all: { is_lost: 'false' },
  given: { is_given: 'true' },
  free: { is_given: 'false', is_lost: 'false' },
  suspended: { is_suspended: 'true' },
  lost: { is_lost: 'true' },
  deleted: { is_deleted: 'true' },
}

/** The built-in views. */
export const cardViews: readonly View[] = [
  { name: t('In use and free'), filters: {} },
  { name: t('Added today'), filters: { when: 'today' } },
  { name: t('Given to somebody'), filters: { show: 'given' } },
  { name: t('Free'), filters: { show: 'free' } },
  { name: t('Suspended cards'), filters: { show: 'suspended' } },
  { name: t('Lost cards'), filters: { show: 'lost' } },
  { name: t('Deleted cards'), filters: { show: 'deleted' } },
]

/** Filters by the member who has a card, by their names in the API. */
export const holderFilters: readonly string[] = ['member_group_id', 'site_id', 'tag_id']

/** Returns what the address asks for as a query. A search without a choice finds what is lost too. */
export function toQuery(params: URLSearchParams, now: number): Record<string, string> {
  const when = params.get('when')
  const known = cardSorts.find(([value]) => value === params.get('sort'))?.[0]
  return {
    ...resolveSpan(when ? { when } : {}, 'created_at', now),
    ...Object.fromEntries([...params].filter(([name, id]) => id && holderFilters.includes(name))),
    ...queries[params.get('show') ?? (params.get('q') ? '' : 'all')],
    sort: known ?? cardSorts[0][0],
  }
}
