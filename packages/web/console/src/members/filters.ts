import { t } from '../language/t.ts'
import { resolveSpan } from '../lists/days-filter.ts'
import type { View } from '../lists/views.tsx'

/** What the list of members shows, in the address. */
export const memberShows = {
  all: t('All'),
  upcoming: t('Upcoming', 'members'),
  present: t('Has end date'),
  ended: t('Access ended'),
  suspended: t('Suspended', 'members'),
  deleted: t('Deleted', 'members'),
} as const
export type MemberShow = keyof typeof memberShows

/** The built-in views. */
export const memberViews: readonly View[] = [
  { name: t('Everybody'), filters: {} },
  { name: t('Added today'), filters: { when: 'today' } },
  { name: t('Upcoming', 'members'), filters: { show: 'upcoming', sort: 'starts_at:asc' } },
  { name: t('Suspended', 'members'), filters: { show: 'suspended' } },
]

export const memberSorts = [
  ['created_at:desc', t('Newest first')],
  ['created_at:asc', t('Oldest first')],
  ['name:asc', t('By name')],
  ['name:desc', t('By name, from Z')],
  ['starts_at:asc', t('Starting first')],
  ['starts_at:desc', t('Starting last')],
  ['ends_at:asc', t('Ending first')],
  ['ends_at:desc', t('Ending last')],
] as const

export interface MemberFilters {
  readonly show: MemberShow
  readonly member_group_id: string | null
  /** Whose doors somebody can open. */
  readonly site_id: string | null
  readonly tag_ids: string | null
  /** A span of days, when the member was added. */
  readonly when: string | null
  readonly sort: string | null
}

export function readFilters(params: URLSearchParams): MemberFilters {
  const show = params.get('show') ?? 'all'
  return {
    show: show in memberShows ? (show as MemberShow) : 'all',
    member_group_id: params.get('member_group_id'),
    site_id: params.get('site_id'),
    tag_ids: params.get('tag_ids'),
    when: params.get('when'),
    sort: params.get('sort'),
  }
}

/** Returns the filters as a query. Times are those of `now`. */
export function toQuery(filters: MemberFilters, now: string): Record<string, string> {
  const { show, member_group_id, site_id, tag_ids, when } = filters
  return {
    ...shownBy(show, now),
    ...(member_group_id && { member_group_id }),
    ...(site_id && { site_id }),
    ...(tag_ids && { tag_ids }),
    ...resolveSpan(when ? { when } : {}, 'created_at', Date.parse(now)),
  }
}

/** Returns the order of the list: as chosen, or what fits to what is shown. */
export function sortOf({ show, sort }: MemberFilters): string {
  const known = memberSorts.find(([value]) => value === sort)?.[0]
  return known ?? (show === 'present' ? 'ends_at:asc' : 'created_at:desc')
}

function shownBy(show: MemberShow, now: string): Record<string, string> {
  if (show === 'deleted') return { is_deleted: 'true' }
  if (show === 'suspended') return { is_suspended: 'true' }
  if (show === 'upcoming') return { 'starts_at:gt': now }
  if (show === 'ended') return { 'ends_at:le': now }
  return show === 'present' ? { 'ends_at:gt': '1970-01-01T00:00:00Z' } : {}
}
