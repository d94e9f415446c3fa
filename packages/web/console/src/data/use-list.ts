import type { Page } from '@gatehouse/sdk'
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
  /** Showing what was found before while something else is being looked for. */
  readonly is_stale: boolean
  readonly error: Error | null
  loadMore(): void
  refetch(): void
}

/** A list of any length, page by page, the first one small since it is waited for; `Expanded` names what `expand` adds. */
export function useList<P extends Plural, Expanded = unknown>(
  plural: P,
  query: QueryOf<P>,
  options: { readonly enabled?: boolean; readonly page?: number } = {},
): List<ItemOf<P> & Expanded> {
  const { client, organization } = useApi()
  return usePages(
    keyOf(organization.id, plural, 'list', query),
    (cursor, signal) =>
      collection(client, plural).list({
        limit: options.page ?? (cursor ? 100 : 50),
        ...query,
        ...(cursor && { cursor }),
        signal,
      }),
    options.enabled,
  )
}

/** The same for lists that are no collection of their own: give the key (see keyOf) and how a page is loaded. */
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
    loadMore: () => void (found.hasNextPage && !found.isFetchingNextPage && found.fetchNextPage()),
    refetch: () => void found.refetch(),
  }
}

/** What did not change stays the same object, so its row is not rendered again; far down a list comparing costs more than that. */
function shareFew(held: unknown, found: unknown): unknown {
  return (found as InfiniteData<unknown>).pages.length > 3 ? found : replaceEqualDeep(held, found)
}
