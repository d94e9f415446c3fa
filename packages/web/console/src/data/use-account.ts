import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../session/use-api.ts'
import type { List } from './use-list.ts'

/** Queries a path under `/account`. Every key starts with `account`, then the path. */
export function useAccount<T>(
  path: string,
  options: { readonly every?: number; readonly enabled?: boolean } = {},
) {
  const { account } = useApi()
  return useQuery({
    queryKey: ['account', path],
    queryFn: () => account<T>('GET', path),
    enabled: options.enabled ?? true,
    ...(options.every && { refetchInterval: options.every }),
  })
}

/** Loads a list under `/account`. These lists are short, so they are not paginated. */
export function useAccountList<T>(path: string): List<T> {
  const { data, error, isPending, refetch } = useAccount<{ data: T[] }>(path)
  return {
    items: data?.data ?? [],
    has_more: false,
    is_loading: isPending,
    is_stale: false,
    error,
    loadMore: () => undefined,
    refetch: () => void refetch(),
  }
}

/** Invalidates every query whose path starts with any of the given paths. */
export function useAccountRefresh(): (...paths: readonly string[]) => Promise<void> {
  const queries = useQueryClient()
  return (...paths) =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [head, path] }) =>
        head === 'account' && paths.some(start => String(path).startsWith(start)),
    })
}
