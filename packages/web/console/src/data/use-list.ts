import type { Page } from '@gatehouse-access/sdk'
import {
  type InfiniteData,
  keepPreviousData,
  replaceEqualDeep,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../session/use-api.ts'
import { collection, type ItemOf, keyOf, type Plural, type QueryOf } from './collections.ts'
import { fillPage } from './fill-page.ts'

/** How many pages are kept. Those that were left behind are loaded again when they are scrolled to. */
const mostPages = 30

export interface List<T> {
  /** What is loaded: the whole list so far, or a part of a long one. */
  readonly items: readonly T[]
  /** How many come before the first that is loaded. */
  readonly offset?: number
  readonly has_more: boolean
  /** How far was searched, where that was far and found little. It goes on when asked. */
  readonly searched_to?: string | undefined
  readonly is_loading_more?: boolean
  readonly is_loading: boolean
  /** True while the previous results are shown and new ones are loading. */
  readonly is_stale: boolean
  readonly error: Error | null
  /** How many there are, if it was asked for. */
  readonly count?: number | undefined
  loadMore(): void
  /** Loads what comes before the first that is loaded. */
  loadBefore?(): void
  /** Begins anew. */
  restart?(): void
  refetch(): void
}

/** Where a page begins. Each knows the one before, so that it can be loaded again. */
interface Place {
  readonly cursor?: string | undefined
  readonly offset: number
  readonly before?: Place
  /** How many there are, as the first page said. */
  readonly count?: number | undefined
}

const start: Place = { offset: 0 }

/**
 * Loads a list of any length page by page. The first page is small, because the user waits for it. `Expanded`
 * types what `expand` adds.
 */
export function useList<P extends Plural, Expanded = unknown>(
  plural: P,
  query: QueryOf<P>,
  options: { readonly enabled?: boolean; readonly page?: number; readonly with_count?: boolean } = {},
): List<ItemOf<P> & Expanded> {
  const { client, organization } = useApi()
  return usePages(
    keyOf(organization.id, plural, 'list', query),
    (cursor, signal) => {
      const limit = options.page ?? (cursor ? 100 : 50)
      return fillPage(cursor, Math.min(limit, query.limit ?? enough, enough), cursor =>
        collection(client, plural).list({
          limit,
          ...query,
          // The first page says how many there are.
          ...(cursor ? { cursor } : options.with_count && { with_count: true }),
          signal,
        }),
      )
    },
    options.enabled,
  )
}

/** Rows that fill a window. */
const enough = 20

/** Does the same for lists without a collection of their own. Takes the key (see keyOf) and a page loader. */
export function usePages<T>(
  key: readonly unknown[],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  enabled = true,
): List<T> {
  const queries = useQueryClient()
  const found = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load(pageParam.cursor, signal),
    initialPageParam: start,
    getNextPageParam: (page, _pages, place): Place | undefined =>
      page.has_next
        ? {
            cursor: page.cursor_next,
            offset: place.offset + page.data.length,
            before: place,
            count: page.count ?? place.count,
          }
        : undefined,
    getPreviousPageParam: (_page, _pages, { before }) => before,
    maxPages: mostPages,
    placeholderData: keepPreviousData,
    structuralSharing: shareFew,
    enabled,
  })
  const items = useMemo(() => found.data?.pages.flatMap(page => page.data) ?? [], [found.data])
  const place = (found.data?.pageParams as readonly Place[] | undefined)?.[0] ?? start
  const is_loading_page = found.isFetchingNextPage || found.isFetchingPreviousPage
  return {
    items,
    offset: place.offset,
    has_more: found.hasNextPage,
    searched_to: found.data?.pages.at(-1)?.searched_to,
    is_loading_more: found.isFetchingNextPage,
    is_loading: found.isPending,
    is_stale: found.isPlaceholderData,
    error: found.error,
    count: found.data?.pages[0]?.count ?? place.count,
    loadMore: () => void (found.hasNextPage && !is_loading_page && found.fetchNextPage()),
    loadBefore: () => void (found.hasPreviousPage && !is_loading_page && found.fetchPreviousPage()),
    restart: () => void queries.resetQueries({ queryKey: key, exact: true }),
    refetch: () => void found.refetch(),
  }
}

/**
 * Keeps unchanged items identical, so that their rows do not render again. Beyond three pages, the comparison
 * costs more than the rendering it saves.
 */
function shareFew(held: unknown, found: unknown): unknown {
  return (found as InfiniteData<unknown>).pages.length > 3 ? found : replaceEqualDeep(held, found)
}
