import type { List } from './use-list.ts'

/** Returns a list that is already complete, for tables of what another object holds. */
export function staticList<T>(items: readonly T[]): List<T> {
  return {
    items,
    has_more: false,
    is_loading: false,
    is_stale: false,
    error: null,
    loadMore: () => undefined,
    refetch: () => undefined,
  }
}
