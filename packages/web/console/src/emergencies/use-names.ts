import { useQueries } from '@tanstack/react-query'
import { collection, keyOf, type Plural } from '../data/collections.ts'
import { mostNames, someNames } from '../parts/some-names.ts'
import { useApi } from '../session/use-api.ts'

/** Returns the names of some objects: `Hotel, Annex and 3 more`. Empty if there are none. */
export function useNames(plural: Plural, ids: readonly string[]): string {
  const { client, organization } = useApi()
  const held = useQueries({
    queries: ids.slice(0, mostNames).map(id => ({
      queryKey: keyOf(organization.id, plural, 'one', id, []),
      queryFn: () => collection(client, plural).get(id) as Promise<{ name: string | null }>,
      staleTime: 60_000,
    })),
  })
  return someNames(
    held.map(({ data }) => data?.name ?? '…'),
    ids.length,
  )
}
