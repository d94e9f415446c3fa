import { useQuery } from '@tanstack/react-query'

/** Loads the countries and regions of the built-in tables, which are a file of their own. */
export function usePlaces(enabled = true) {
  return useQuery({
    queryKey: ['holiday-places'],
    queryFn: async () => (await import('./holiday-places.ts')).places,
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  })
}
