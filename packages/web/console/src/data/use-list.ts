import type { Page } from '@gatehouse-access/sdk'
import {
  type InfiniteData,
  keepPreviousData,
  replaceEqualDeep,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../session/use-api.ts'
import { collection, type ItemOf, keyOf, type Plural, type QueryOf } from './collections.ts'

export interface List<T> {
  readonly items: readonly T[]
  readonly has_more: boolean
  readonly is_loading: boolean
  /** True while the previous results are shown and new ones are loading. */
  readonly is_stale: boolean
  readonly error: Error | null
  /** How many there are, if it was asked for. */
  readonly count?: number | undefined
  loadMore(): void
  refetch(): void
}

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
    (cursor, signal) =>
      collection(client, plural).list({
        limit: options.page ?? (cursor ? 100 : 50),
        ...query,
        // The first page says how many there are.
        ...(cursor ? { cursor } : options.with_count && { with_count: true }),
        signal,
      }),
    options.enabled,
  )
}

/** Does the same for lists without a collection of their own. Takes the key (see keyOf) and a page loader. */
export function usePages<T>(
  key: readonly unknown[],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  enabled = true,
): List<T> {
  const found = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => (page.has_next ? page.cursor_next : undefined),
    placeholderData: keepPreviousData,
    structuralSharing: shareFew,
    enabled,
  })
  const items = useMemo(() => found.data?.pages.flatMap(page => page.data) ?? [], [found.data])
  return {
    items,
    has_more: found.hasNextPage,
    is_loading: found.isPending,
    is_stale: found.isPlaceholderData,
    error: found.error,
    count: found.data?.pages[0]?.count,
    loadMore: () => void (found.hasNextPage && !found.isFetchingNextPage && found.fetchNextPage()),
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
